"""The parameters of a request, read as the fields of the type that an operation takes."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from clawgit.operations import caller
from clawgit.operations.caller import InWords, Named, Range
from clawgit.service.requests import BAD_PARAMS, RequestError
from clawgit.text.safety.control_characters import folded

if TYPE_CHECKING:
    from collections.abc import Mapping

_KINDS = {int: "whole number", float: "number", str: "text"}


class Parameter(NamedTuple):
    """A field of a request: its name for the client, its type, and what else its value has to be."""

    field: str
    name: str
    kind: type
    choices: tuple[str, ...] = ()
    rules: tuple[Any, ...] = ()
    is_required: bool = False

    def value(self, given: Any) -> Any:
        """Return a value as the field has it; text that reads as a number is one."""
        if not isinstance(given, (str, int, float)):
            raise RequestError(BAD_PARAMS, f"{self.name} is neither text, a number nor true or false.")
        if self.kind is bool or given is True:
            if self.kind is bool and given is True:
                return True
            what = "true or false" if self.kind is bool else f"a {_KINDS[self.kind]}"
            raise RequestError(BAD_PARAMS, f"{self.name} has to be {what}.")
        value = self._converted(given)
        if isinstance(value, str) and "\0" in value:
            raise RequestError(BAD_PARAMS, "A word with a NUL character is no text, path, time or id.")
        if self.choices and value not in self.choices:
            named = ", ".join(map(repr, self.choices))
            raise RequestError(BAD_PARAMS, f"{self.name} is {value!r}, which is not one of {named}.")
        for rule in self.rules:
            if isinstance(rule, Range) and (value < rule.least or value > rule.most):
                raise RequestError(BAD_PARAMS, f"{self.name} is {value}, which is not in the range {rule}.")
            if isinstance(rule, InWords) and not folded(value):
                raise RequestError(BAD_PARAMS, f"{self.name} is blank. Say it in a few words.")
        return value

    def _converted(self, given: str | float) -> Any:
        if self.kind is int and isinstance(given, float):
            raise RequestError(BAD_PARAMS, f"{self.name} is {given}, which is not a valid whole number.")
        try:
            return self.kind(given)
        except (ValueError, OverflowError) as error:
            raise RequestError(
                BAD_PARAMS, f"{self.name} is {str(given)[:80]!r}, which is not a valid {_KINDS[self.kind]}."
            ) from error


def parameters_of(request: type[Any]) -> dict[str, Parameter]:
    """Return the parameters of a request by their names."""
    hints = get_type_hints(request, localns=vars(caller), include_extras=True)
    found = [_parameter(field, hints[field], request) for field in getattr(request, "_fields", ())]
    return {each.name: each for each in found}


def _parameter(field: str, hint: Any, request: Any) -> Parameter:
    kinds = [each for each in get_args(hint) if each is not NoneType]
    if NoneType in get_args(hint):
        (hint,) = kinds
    rules = getattr(hint, "__metadata__", ())
    kind = get_args(hint)[0] if rules else hint
    name = next((rule.name for rule in rules if isinstance(rule, Named)), field)
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    is_required = field not in request._field_defaults
    return Parameter(field, name, str if choices else kind, choices, rules, is_required)


def read_parameters(method: str, known: Mapping[str, Parameter], params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that the parameters of a request give; what is null or false is as if not given."""
    for name in params:
        if name not in known:
            hint = f"It has {', '.join(known) or 'none'}."
            raise RequestError(BAD_PARAMS, f"{method} has no parameter {name!r}.", hint=hint)
    required = [each.name for each in known.values() if each.is_required]
    if any(not isinstance(params.get(name), str) for name in required):
        missing = [name for name in required if not isinstance(params.get(name), str)]
        raise RequestError(BAD_PARAMS, f"{method} needs {' and '.join(missing)}, as text.")
    if [params[name] for name in required] == ["-"]:
        raise RequestError(BAD_PARAMS, "The service reads no standard input.")
    given = {name: value for name, value in params.items() if value is not None and value is not False}
    return {known[name].field: known[name].value(value) for name, value in given.items()}
