"""`why`: from a statement to the changes and the evidence behind it."""

from __future__ import annotations

from functools import cached_property, partial
from itertools import chain, filterfalse
from operator import itemgetter, methodcaller
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import authorship, said_by, trust_of
from clawgit.history.git.git_program import git_output
from clawgit.history.git.refs import PAST
from clawgit.history.provenance.correction_files import NOWHERE, read_known_corrections
from clawgit.history.provenance.entries_at_tip import states_in
from clawgit.history.provenance.fold_store import followed
from clawgit.history.provenance.trust_lookup import present_fold, renewed_fold
from clawgit.history.reading.blame import blame
from clawgit.history.reading.git_log import NEVER, LoggedChange, moment_of, read_named
from clawgit.memory.corrections.corrected_entries import MARK, KnownCorrection
from clawgit.memory.corrections.write_correction import shortened
from clawgit.memory.entries import statements
from clawgit.memory.entries.entries import may_hold_notes
from clawgit.memory.entries.tiers import MEMORY_FILES, is_correction_file, is_derived
from clawgit.memory.notes import is_agents_turn
from clawgit.memory.provenance import pieces
from clawgit.memory.trust import LOWEST
from clawgit.plan import MESSAGE
from clawgit.text.comparing.similarity import common_runs
from clawgit.text.markdown.lines import ENDINGS, split_lines, without_end
from clawgit.workspace.layout import PROMPTS
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.entry_states import EntryState
    from clawgit.memory.provenance.pieces import Origin, Seen


class Wording(NamedTuple):
    """A wording of a statement, the change that made it, and its evidence."""

    words: str
    path: str
    change: LoggedChange
    evidence: tuple[str, ...]
    claimed: bool = False


def _paths_in(history: History, change: LoggedChange, keys: Iterable[str]) -> dict[str, str]:
    """Return the first file of ``change`` that has each piece, empty if none; only files with its words are parsed."""
    paths = dict.fromkeys(keys, "")
    left = {}
    for key in paths:
        # in each text with these words in a line without notes, whatever is between them
        words = [word for word in _without_form(key).split() if "\N{REPLACEMENT CHARACTER}" not in word]
        left[key] = max(words, key=len, default="").encode("utf-8", "replace")
    for file in change.files:
        if file.new is None or not file.path.endswith(ENDINGS):
            continue
        if not left:
            break
        data = pieces.readable(file.path, history.objects.blob(file.new))
        if not may_hold_notes(data) and not any(word in data for word in left.values()):
            continue
        for piece in pieces.Text(data).pieces:
            if left.pop(piece.key, None) is not None:
                paths[piece.key] = file.path
    return paths


class PresentWords(NamedTuple):
    """The date of a statement's present wording, its messages (`chat:…`), and its trust."""

    at: datetime = NEVER
    messages: tuple[str, ...] = ()
    trust: str = ""


def present_words(history: History, words: str, entry_id: str) -> PresentWords:
    with present_fold(history) as store:
        origin = store.origin(pieces.ENTRY + words)
        source: Origin | Seen | None = origin
        cited: list[str] = []
        undos = set(store.verdicts())
        for _, row in store.wordings(entry_id, words):
            if row.before or row.commit_id not in undos:  # an undo that only brings it back words nothing
                source = row
                cited = [item.partition(" ")[0] for item in row.said.split("\n")]
    messages = tuple(filter(methodcaller("startswith", MESSAGE), cited))
    return PresentWords(moment_of(source.at if source else ""), messages, (origin or NOWHERE).trust)


BY_ID, BY_PLACE = "its id", "its place"


def committed_line(history: History, path: str, number: int) -> tuple[int, str]:
    """Return which committed line (from 1) a line of the folder's file is, and how the folder differs."""
    data = history.tip().tree.read(path)
    if data is None and is_derived(path):
        sentence = f"{path} is rendered from the history, so no change is behind its lines."
        raise ClawgitError(sentence, hint="`clawgit soul log` and `git log` list what it tells of.")
    present = read_file(history.root, path)
    if data is None and present is None:
        raise ClawgitError(f"There is no file {path}.", hint="Give its path as `git ls-files` lists it.")
    old = _lines_of(path, data or b"")
    new = old
    note = f"{path} is not in the folder any more; lines are counted as committed."
    if present is not None:
        new = _lines_of(path, present.data)
        note = ""
    if not 0 < number <= len(new):
        raise ClawgitError(f"There is no line {number} in {path}.", hint="Lines are counted from 1.")
    if new == old:
        return number, note
    then = 0  # if it is new or changed
    for run in common_runs(old, new):
        if run.new < number <= run.new + run.length:
            then = run.old + number - run.new
    if not then:
        raise ClawgitError(
            f"Line {number} of {path} is not committed yet, so nothing is behind it.",
            hint="`clawgit keep` commits edits. Before that, ask by the earlier words.",
        )
    note = f"{path} has edits that are not committed"
    if then != number:
        note += f"; line {number} of the folder is line {then} as committed"
    return then, f"{note}."


def _lines_of(path: str, data: bytes) -> list[str]:
    lines = map(without_end, split_lines(pieces.readable(path, data)))
    return [line.decode("utf-8", "surrogateescape") for line in lines]


class SimilarStatement(NamedTuple):
    """Another statement that may be the one asked for."""

    words: str
    place: str
    entry_id: str | None


class Why(NamedTuple):
    """A statement and what is behind it; ``state`` is None for what is not an entry (any more).

    ``sure`` (of 100) is how well it matches the question, ``by`` how it was found, ``others`` are equal matches. Wordings are
    in order of time; ``corrected`` are the entries of a correction; ``removed`` is the last removal if it is nowhere now.
    """

    words: str
    place: str
    trust: str
    wordings: tuple[Wording, ...]
    sure: int = statements.CERTAIN
    by: str = BY_ID
    note: str = ""
    others: tuple[SimilarStatement, ...] = ()
    state: EntryState | None = None
    corrections: tuple[KnownCorrection, ...] = ()
    corrected: tuple[EntryState, ...] = ()
    removed: LoggedChange | None = None
    author: str = ""  # of words that are no entry's; of a mail not who committed it
    person: str = ""  # by `said_by`

    @property
    def way_back(self) -> str:
        """Return the command that brings the line back, with the rest of the change."""
        name = "" if self.removed is None else self.removed.commit_id[:12]
        return f"`clawgit undo {name}` takes that commit back, and the line is there again"


class UnknownWordsError(ClawgitError):
    """No present or past statement has this id or these words."""


def find_why(history: History, target: str, on: date) -> Why:
    with renewed_fold(history) as store:
        return _Asking(history, store, on).word(target)


def find_why_line(history: History, path: str, number: int, on: date) -> Why:
    """Return what is behind a line (from 1) of the folder's file."""
    then, note = committed_line(history, path, number)
    with renewed_fold(history) as store:
        return _Asking(history, store, on).line(path, then)._replace(by=BY_PLACE, note=note)


def find_removed(history: History, target: str) -> Why | None:
    """Return a line that matches words and is nowhere any more, with the change that removed it."""
    with present_fold(history) as store:
        answer = _Asking(history, store, NEVER.date()).of_words(target)
    if answer is None or answer.removed is None:
        return None
    return answer


class _Asking:
    def __init__(self, history: History, store: FoldStore, on: date) -> None:
        self._history, self._store = history, store
        self._on = on
        self._corrections = partial(read_known_corrections, history, store)
        self._changes: dict[str, LoggedChange] = {}
        self._paths: dict[tuple[str, str], str] = {}
        self._brought: dict[str, set[str]] = {}  # commit → the keys in question

    @cached_property
    def _states(self) -> list[EntryState]:
        return states_in(self._history, self._store, self._on)

    def word(self, target: str) -> Why:
        name = pieces.storable(target.strip())
        for correction in self._corrections() if name.startswith(MARK) else ():
            if correction.correction.correction_id == name.removeprefix(MARK):
                return self._correction(correction)
        entry_id = name.removeprefix("m:")
        for state in self._states:
            if entry_id == state.entry.entry_id:
                return self._of_state(state)
        gone = self._store.last_words(entry_id) if entry_id else None
        answer = None if gone is None else self._of_key(pieces.ENTRY + gone, "", entry_id)
        answer = answer or self._of_entries(name)
        if answer is not None:
            return answer
        hint = (
            "Name an entry (m:…), a correction (x:…), a line (MEMORY.md:12) or some of its words. `clawgit memory search`"
            " forgives typing errors."
        )
        raise UnknownWordsError(f"Nothing like {target!r} is known.", hint=hint)

    def _of_entries(self, target: str) -> Why | None:
        """Answer for words of an entry, or of another line that matches better; a removed part does not beat an entry with all words."""
        meant = statements.which_is_meant(target, [state.entry.text for state in self._states])
        if meant is None:
            return self.of_words(target)
        if meant.by in statements.UNSURE:
            answer = self.of_words(target)
            is_vague = meant.by == statements.BY_SOME
            if answer is not None and (answer.place or answer.by == statements.BY_WORDS or not is_vague):
                return answer
        others = []
        for number in meant.others:
            state = self._states[number]
            place = f"{state.path}:{state.entry.first + 1}"
            others.append(SimilarStatement(state.entry.text, place, state.entry.entry_id))
        why = self._of_state(self._states[meant.number])
        return why._replace(sure=meant.sure, by=meant.by, others=tuple(others))

    def line(self, path: str, number: int) -> Why:
        for state in self._states:
            if state.path == path and state.entry.first < number <= state.entry.last:
                return self._of_state(state)
        for in_force in self._corrections():
            correction = in_force.correction
            if correction.path == path and correction.first < number <= correction.last:
                return self._correction(in_force)
        data = pieces.readable(path, self._history.tip().tree.read(path) or b"")
        piece = pieces.line_pieces(data).get(number - 1)
        if piece is None:  # an empty line
            return self._blamed(path, number)
        answer = self._of_key(piece.key, f"{path}:{number}", piece.entry_id)
        return answer or self._blamed(path, number)._replace(trust=LOWEST)

    def _of_state(self, state: EntryState) -> Why:
        words = pieces.piece_of(state.entry).words
        corrected = []
        for in_force in state.corrections:
            if in_force.counts and in_force.correction.said:
                corrected.append(in_force.correction.said)
        wordings = self._wordings(words, state.entry.entry_id or "", corrected)
        place = f"{state.path}:{state.entry.first + 1}"
        why = Why(words, place, state.trust, wordings, state=state, corrections=state.corrections)
        return why._replace(person=state.person)

    def of_words(self, target: str) -> Why | None:
        """Answer for words outside present entries: notes of a day, or removed ones."""
        keys = []
        answers = []
        alike = self._store.keys_like(" ".join(target.split()), statements.MOST_OTHERS + 1)
        for key, origin in self._store.origins(alike).items():
            self._brought.setdefault(self._here(origin.commit_id), set()).add(key)
        for key in alike:
            why = self._unplaced(key, None)
            if why is not None and not why.wordings[-1].path.startswith(PROMPTS):
                keys.append(key)
                answers.append(why)
        meant = statements.which_is_meant(target, [why.words for why in answers])
        if meant is None:
            return None
        numbers = [meant.number, *meant.others]
        path = answers[meant.number].wordings[-1].path
        places = self._places(list(map(keys.__getitem__, numbers)), path)
        numbers.sort(key=lambda number: keys[number] not in places)  # first what is present
        number = numbers[0]
        place = places.get(keys[number], "")
        answer = self._placed(answers[number], place)
        path, _, at = place.rpartition(":")
        if is_correction_file(path):
            answer = self.line(path, int(at))
        others = tuple(SimilarStatement(answers[number].words, "", None) for number in numbers[1:])
        return answer._replace(sure=meant.sure, by=meant.by, others=others)

    def _of_key(self, key: str, place: str, entry_id: str | None) -> Why | None:
        answer = self._unplaced(key, entry_id)
        if answer is None:
            return None
        if not place:
            place = self._places([key], answer.wordings[-1].path).get(key, "")
        return self._placed(answer, place)

    def _unplaced(self, key: str, entry_id: str | None) -> Why | None:
        origin = self._store.origin(key)
        if origin is None:
            return None
        words = _without_form(key)
        if key.startswith(pieces.ENTRY):
            wordings = self._wordings(words, entry_id or self._store.id_of(words))
        else:
            commit_id = self._here(origin.commit_id)
            self._read([commit_id])
            wordings = (self._wording(commit_id, key),)
        why = Why(words, "", origin.trust, wordings, by=statements.BY_WORDS, author=origin.actor)
        return why._replace(person=said_by(self._history, origin))

    def _wordings(self, words: str, entry_id: str, corrected: Iterable[str] = ()) -> tuple[Wording, ...]:
        made: dict[tuple[str, str], Seen | None] = {}
        for row in followed(self._store, words, entry_id, corrected):
            made[self._here(row.commit_id), row.words] = row
        for earlier_words in dict.fromkeys([words, *map(itemgetter(1), made)]):
            origin = self._store.origin(pieces.ENTRY + earlier_words)
            if origin is not None:
                made.setdefault((self._here(origin.commit_id), earlier_words), None)
        self._read(map(itemgetter(0), made))
        wordings = []
        for (commit_id, earlier_words), seen in made.items():
            wordings.append(self._wording(commit_id, pieces.ENTRY + earlier_words, seen))
        return tuple(sorted(wordings, key=lambda wording: wording.change.moment))

    def _here(self, commit_id: str) -> str:
        """Return a commit, or its copy on this branch where both have one author."""
        if not self._has_past:
            return commit_id
        from clawgit.history.authorship.rewritten import commit_here

        here = commit_here(self._history, self._history.objects.commit(commit_id)).commit_id
        if here in authorship(self._history).unvouched:
            return commit_id
        return here

    @cached_property
    def _has_past(self) -> bool:
        return bool(self._history.refs(PAST))

    def _wording(self, commit_id: str, key: str, row: Seen | None = None) -> Wording:
        words = _without_form(key)
        change = self._changes[commit_id]
        path = ""
        evidence = change.evidence
        if row is not None:
            path = row.path
            evidence = tuple(filter(None, row.said.split("\n")))
        agent = self._claims.get(commit_id)
        is_claimed = agent is not None and not is_agents_turn(words, agent)
        if not path and (commit_id, key) not in self._paths:
            keys = {key, *self._brought.get(commit_id, ())}
            for each, place in _paths_in(self._history, change, keys).items():
                self._paths[commit_id, each] = place
        return Wording(words, path or self._paths[commit_id, key], change, evidence, is_claimed)

    @cached_property
    def _claims(self) -> dict[str, str]:
        return self._store.claims()

    def _read(self, commit_ids: Iterable[str]) -> None:
        """Read what was not read yet at once: several matching lines often came with one commit, of 100,000 files."""
        unread = filterfalse(self._changes.__contains__, commit_ids)
        self._changes |= read_named(self._history, unread, with_files=True)

    def _placed(self, answer: Why, place: str) -> Why:
        if not place:
            return answer._replace(removed=self._removal(answer))
        correct = shortened(statements.parted(answer.words).statement)
        right = filter(lambda each: each.counts and each.correction.correct == correct, self._corrections())
        return answer._replace(place=place, corrections=tuple(right))

    def _removal(self, answer: Why) -> LoggedChange | None:
        row = next(iter(self._store.all_taken_out(answer.words)), None)
        path = answer.wordings[-1].path
        statement = statements.parted(answer.words).statement
        corrections = list(filter(lambda each: each.correction.said == statement, self._corrections()))
        if row is not None:
            commit_id = row.commit_id
        elif corrections:
            commit_id = corrections[-1].commit_id
        elif path:  # outside memory the fold only counts lines
            words = ("--max-count=1", "--format=%H", "--no-ext-diff", "--no-textconv", f"-S{answer.words}")
            tip = self._history.tip().commit_id or ""
            commit_id = git_output(self._history, "log", *words, tip, "--", path).decode().strip()
        else:
            return None
        return read_named(self._history, [commit_id])[commit_id] if commit_id else None

    def _places(self, keys: Sequence[str], path: str) -> dict[str, str]:
        """Return the places of present pieces; reads files until the first piece is found, beginning with ``path``."""
        tree = self._history.tip().tree
        encoded = [_without_form(key).encode("utf-8", "replace") for key in keys]
        places: dict[str, str] = {}
        everywhere = (name for below in ("memory", "") for name, _ in tree.files(below=below))
        for name in chain((path, *MEMORY_FILES), everywhere):
            data = b""
            if name.endswith(ENDINGS):
                data = pieces.readable(name, tree.read(name) or b"")
            if name != path and not any(map(data.__contains__, encoded)):
                continue
            for at, piece in sorted(pieces.line_pieces(data).items()):
                if piece.key in keys:
                    places.setdefault(piece.key, f"{name}:{at + 1}")
            if keys[0] in places:
                break
        return places

    def _correction(self, in_force: KnownCorrection) -> Why:
        correction = in_force.correction
        rows = self._store.seen(MARK + correction.correction_id)
        changes = read_named(self._history, [row.commit_id for row in rows])
        words = correction.correct or correction.said
        wordings = []
        for row in rows:
            change = changes[row.commit_id]
            wordings.append(Wording(words, row.path, change, change.evidence))
        corrected = tuple(state for state in self._states if state.entry.entry_id in correction.corrects)
        trust = LOWEST
        for row in rows[-1:]:
            trust = (self._store.origin(pieces.CORRECTION + row.words) or NOWHERE).trust
        place = f"{correction.path}:{correction.first + 1}"
        why = Why(words, place, trust, tuple(wordings), corrections=(in_force,), corrected=corrected)
        return why._replace(person=in_force.person)

    def _blamed(self, path: str, number: int) -> Why:
        blamed = blame(self._history, path, self._history.tip().commit_id or "")
        if number > len(blamed):
            sentence = f"git counts fewer than {number} lines in {path}."
            raise ClawgitError(sentence, hint="Ask by its words.")
        line = blamed[number - 1]
        wording = Wording(line.text, path, line.change, line.change.evidence)
        return Why(line.text, f"{path}:{number}", trust_of(line.change.actor), (wording,))


def _without_form(key: str) -> str:
    for form in pieces.FORMS:
        if form and key.startswith(form):
            return key.removeprefix(form)
    return key
