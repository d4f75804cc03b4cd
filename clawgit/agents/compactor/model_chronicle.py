"""A week as a model tells it: every sentence cites its notes, and says no number or name that they do not say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from clawgit.agents.compactor.daily_archive import NAME
from clawgit.agents.models.answer_schema import TEXT, one_list
from clawgit.agents.models.model import ModelError
from clawgit.agents.models.model_prompts import Material, prompt_of
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.memory.compaction.chronicle import week_of
from clawgit.memory.compaction.story_check import unfounded
from clawgit.text.safety.control_characters import folded
from clawgit.text.words.tokens import count_tokens
from clawgit.understanding.facts.keepable_sentences import is_forbidden

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.agents.compactor.daily_archive import Chronicler
    from clawgit.agents.models.ask_model import Asker
    from clawgit.history.git.trees import Tree
    from clawgit.memory.compaction.chronicle import Week

MOST_WEEKS = 6  # of one run, the newest: the others are written by rules
MOST_SENTENCES = 14
MOST_ASKED = 12_000  # tokens of a week's notes; what is longer is written by rules
_SCHEMA = one_list(
    "story",
    MOST_SENTENCES,
    {
        "sentence": {"type": "string", "minLength": 4, "maxLength": 400},
        "notes": {"type": "array", "minItems": 1, "maxItems": 7, "items": TEXT},
    },
)
_TASK = """\
The material is the daily notes of one week. Tell the week in at most 14 sentences, in the order of its days and in the language of
the notes: what was begun, decided, finished and learned, and what went wrong. "notes" are the ids of the notes on which a sentence
rests. Each sentence is checked by itself, and left out where the check fails: every name, number and date in it stands in those notes.
Leave out what is routine. The whole is shorter than the notes."""


def with_stories(agent: Chronicler, asker: Asker) -> Chronicler:
    """Return the agent with what a model tells of its newest weeks; what it does not tell, rules do.

    A week of which no sentence holds, or whose story is longer than its notes, is written by rules.
    """
    tree = agent.history.tip().tree
    weeks: dict[Week, list[Material]] = {}
    for each in agent.aged:
        weeks.setdefault(week_of(each.note.day), []).append(_material(tree, each.note.path))
    soul = prompt_in_force(agent.history, NAME)
    stories: dict[Week, tuple[str, ...]] = {}
    notes: list[str] = []
    for week in sorted(weeks)[-MOST_WEEKS:]:
        if _tokens(weeks[week]) > MOST_ASKED:
            continue
        try:
            answer = asker.complete(prompt_of(soul, _TASK, weeks[week], _SCHEMA), _SCHEMA)
        except ModelError as error:
            notes.append(f"Rules told it: {error.message}")
            break
        lines, refused = _checked(answer["story"], {each.material_id: each.text for each in weeks[week]})
        notes += refused
        if lines and count_tokens("\n".join(lines)) < _tokens(weeks[week]):
            stories[week] = lines
    return replace(agent, stories=stories, notes=tuple(notes), tokens=asker.spent)


def _checked(story: list[Mapping[str, Any]], notes: Mapping[str, str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the sentences that their notes bear out, and why the others are left out."""
    lines, refused = [], []
    for each in story:
        sentence = folded(each["sentence"])
        unknown = [name for name in each["notes"] if name not in notes]
        why_not = f"it cites {unknown[0][:40]!r}, which it was not given" if unknown else ""
        if not why_not and (is_forbidden(sentence) or "<!--" in sentence or "-->" in sentence):
            why_not = "it speaks of instructions, of the agent's own files or of secrets"
        if not why_not:
            missing = unfounded(sentence, [notes[name] for name in each["notes"]], each["notes"])
            why_not = f"its notes do not say {missing!r}" if missing else ""
        if why_not:
            refused.append(f"Refused of the model's answer: {sentence!r}: {why_not}.")
        else:
            lines.append(sentence)
    return tuple(lines), refused


def _material(tree: Tree, path: str) -> Material:
    text = (tree.read(path) or b"").decode("utf-8", "replace")
    return Material(path.rpartition("/")[2].removesuffix(".md"), "daily note", text)


def _tokens(materials: list[Material]) -> int:
    return sum(count_tokens(each.text) for each in materials)
