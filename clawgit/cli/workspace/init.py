"""`clawgit init`: make or adopt a workspace."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import chain, filterfalse
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clawgit.cli.app import App, command, kept_data, picked
from clawgit.cli.terminal import progress
from clawgit.errors import ClawgitError, UsageError
from clawgit.history.adopt import (
    ADOPTED,
    Adopted,
    FolderContents,
    Preview,
    adopt,
    preview_adoption,
    preview_found,
)
from clawgit.history.authorship.actors import HOST, MINE, OPERATOR, UNKNOWN, unnamed_lines
from clawgit.history.git.repository import History, open_history
from clawgit.history.missing_files import first_talk_is_open, is_fresh_form
from clawgit.history.operator_records import set_setting
from clawgit.operations.changes import finding_lines, held_lines, names_of
from clawgit.operations.paths import user_path
from clawgit.text.markdown.lines import as_utf8, is_text
from clawgit.text.safety.control_characters import counted, few, first_few, shown
from clawgit.text.safety.secrets import find_secrets, redact_path
from clawgit.workspace.find_workspace import LOST, TO_RESTORE
from clawgit.workspace.safe_files import is_shared, read_file

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from pathlib import Path

    from clawgit.recall.recall_status import Coverage


FEW = 3  # files that a sentence names instead of counting them
MOST_FOLDERS = 8  # that a question names
MOST_READ = 3000  # files that are looked through for keys; of a folder with more, what would move is worked out at night
MOST_KEYS = 5  # that a sentence names
PULLING = "It has a remote: say `clawgit hooks install`, then `git pull --no-rebase`. --rebase copies your commits, and other clones may count the copies as unknown."
LOST_BEFORE = f"The folder {LOST} {TO_RESTORE}; say `clawgit hooks install` and `clawgit connect` again."
WHY_ASKED = "clawgit trusts your own words more than an agent's or a stranger's."


@command("init")
@click.argument("path", required=False)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be done; change nothing. Exits as `init` would."
)
@click.option(
    "--trust",
    type=click.Choice(["operator", "unknown"]),
    help="Who wrote the files that are already there. Asked on a terminal; otherwise unknown.",
)
@click.option(
    "--edits-here",
    type=click.Choice(["mine", "unknown"]),
    help="Whose later edits are while no agent is connected. Asked on a terminal; otherwise unknown.",
)
def init_command(
    app: App, path: str | None, dry_run: bool, trust: str | None, edits_here: str | None
) -> None:
    """Make a workspace of PATH, or adopt its folder.

    Without PATH, the current folder. Files that are already there are kept and committed.

    Nothing is overwritten. An existing git repository is kept, with or without commits. SOUL.md, MEMORY.md and the
    other files in the folder itself count as your words only if you say so; notes below memory/ and Archive/ count
    as an unknown author's until you claim their commit with `keep --as operator COMMIT`.

    \b
    Examples:
      clawgit init ~/agent
      clawgit init --trust operator ~/.openclaw/workspace
      clawgit init --dry-run ~/.openclaw/workspace
    """
    root = init_root(app, path)
    if dry_run:
        if trust is None and is_fresh_form(root):
            trust = HOST
        preview = preview_adoption(root, actor=app.actor)
        contents = preview_found(root, app.now(), trust or UNKNOWN)
        data = {**_preview_data(root, preview), **picked(preview, "folders"), "deleted": contents.deleted}
        data |= {"kept": kept_data(contents.kept), "refused": None, "dry_run": True}
        if preview.refusal is not None:
            data["refused"] = f"{preview.refusal.message} {preview.refusal.hint}"
            app.exit_code = preview.refusal.exit_code
        asks_about_edits = edits_here is None and app.actor == OPERATOR and bool(preview.created)
        app.report(data, lambda: _preview_lines(root, preview, contents, trust, asks_about_edits))
    else:
        done = _adopt(app, root, trust, edits_here)
        if trust and not done.trust:
            app.say(
                f"--trust was not looked at: it is for a folder that is taken over, and {root} is a workspace already. "
                '`git log --grep "Clawgit-Actor: unknown"` lists what has an unknown author;'
                " `clawgit keep --as operator COMMIT...` makes it your words."
            )
        _report_adopted(app, root, done)


def init_root(app: App, path: str | None) -> Path:
    if path == "":
        raise UsageError("The path is empty.", hint="Give a folder, or leave it away for this one.")
    named = path or app.workspace or app.environment.get("CLAWGIT_WORKSPACE") or "."
    return user_path(named)


def _adopt(app: App, root: Path, trust: str | None, edits_here: str | None = None) -> Adopted:
    """Ask all questions before any change, then make the workspace."""
    if trust == "operator" or app.actor != "host":
        app.only_operator("make a workspace of files that count as your words")
    try:
        standing_only = False
        if trust is None:
            trust, standing_only = _asked_trust(app, root)
        are_his = _asked_edits(app, root, edits_here)
    except click.Abort:
        app.say("Nothing was changed.")
        raise
    with progress("Adopting"):
        done = adopt(root, app.now(), trust=trust, actor=app.actor, standing_only=standing_only)
    if are_his and done.commits and done.trust:
        history = app.history(root)
        set_setting(history, "edits_here", MINE, app.intent(history))
        app.say(
            "While no agent is connected, edits in this folder count as yours, but for the soul, settings and prompts"
            " (`clawgit config set edits_here unknown` ends that)."
        )
    return done


def _asked_edits(app: App, root: Path, edits_option: str | None) -> bool:
    """Ask whether later edits are the operator's, if a workspace is to be made; hosts and jobs are not asked."""
    if app.actor != OPERATOR:
        return False
    if edits_option is not None or not sys.stdin.isatty():
        return edits_option == MINE
    preview = preview_adoption(root)
    if preview.is_workspace or preview.refusal is not None or not preview.created:
        return False
    app.say("y: later edits here count as your words, your agent's too until you connect it.")
    app.say("n: each counts as yours once you claim it (`clawgit keep --as operator`).")
    return app.asks("Count edits in this folder as yours?")


def _asked_trust(app: App, root: Path) -> tuple[str, bool]:
    """Ask who wrote the files, and whether that is true of those alone that steer the agent.

    Without a terminal the author is unknown, and a host's own form is the host's.
    """
    if is_fresh_form(root):
        return HOST, False
    preview = preview_adoption(root)
    files = preview.asked
    if app.actor == HOST or not files or preview.refusal is not None or not sys.stdin.isatty():
        return UNKNOWN, False
    click.echo(WHY_ASKED, err=True)
    contents = preview_found(root, app.now(), OPERATOR)
    if not app.asks(f"Did you write or check {_asked_about(preview, contents)}?"):
        return UNKNOWN, False
    others = other_files(preview, contents)
    is_all = not others or app.asks(f"And {_others_named(others)}?")
    return OPERATOR, not is_all


def _asked_about(preview: Preview, contents: FolderContents) -> str:
    """Return what the question of authorship is about: of a folder with commits, no line that git has."""
    named = names_of(preview.asked)
    if contents.had_commits:
        named = f"the uncommitted changes of {named} (what git has counts as yours already)"
    return named


def other_files(preview: Preview, contents: FolderContents) -> tuple[str, ...]:
    return tuple(path for path in contents.own.paths if path not in preview.asked)


def _others_named(paths: tuple[str, ...]) -> str:
    if len(paths) <= FEW:
        return names_of(paths)
    return f"the {len(paths):,} other files outside memory/: {_by_folder(paths, MOST_FOLDERS)}"


def _preview_data(root: Path, preview: Preview) -> dict[str, Any]:
    return {"workspace": root, **picked(preview, "new=is_new repository=has_repository created moved")}


def _preview_lines(
    root: Path, preview: Preview, contents: FolderContents, trust: str | None, asks_about_edits: bool
) -> list[str]:
    what = {True: "a new workspace", False: "an existing folder, to be adopted as it is"}[preview.is_new]
    git = {True: "kept", False: "to be made"}[preview.has_repository]
    lines = [f"{root}: {what}; its git repository: {git}."]
    if preview.was_workspace:
        lines.append(LOST_BEFORE)
    there = (*contents.own.paths, *contents.notes.paths, *contents.others.paths)
    if there:
        lines.append(f"would commit      {len(there):,} as they are: {names_of(there)}")
    if contents.deleted:
        lines.append(f"would commit      {_deleted_words(contents)}")
    if preview.created:
        sentence = f"would create      {counted(len(preview.created), 'file')}: {_by_folder(preview.created)}"
        lines.append(sentence)
    if contents.settled:
        lines.append("would render      CHANGELOG.md, COMPACTION_LOG.md and SOUL_HISTORY/ from the history")
        lines += contents.settled
    lines.append(
        "later             what is said becomes notes in memory/, committed when a session is over, so a push shares them;"
        " `session_reset: never` in CONFIG.md makes none by itself"
    )
    if preview.has_repository:
        from clawgit.recall.recall_status import read_coverage

        history = open_history(root)
        keys = tuple(_keys(history, read_coverage(history)))
        lines += [_key_line(keys)] if keys else []
    if contents.moved:
        lines.append(f"would move        {_aside_words(contents)}")
    if preview.asked and trust is None:
        others = other_files(preview, contents)
        after = f", and then {_others_named(others)}" if others else ""
        sentence = f"would ask whether you wrote or checked {_asked_about(preview, contents)}{after} (`--trust operator` says yes to all of it); otherwise:"
        lines.append(sentence)
    lines += whose_lines(contents, trust)
    if asks_about_edits:
        sentence = "would ask whether later edits in this folder count as yours (`--edits-here mine` says yes); otherwise each does once you claim it"
        lines.append(sentence)
    findings = (*contents.kept.held, *contents.kept.remarks)
    end = "Nothing was changed."
    if preview.refusal is not None:
        end = f"`clawgit init` refuses now. {preview.refusal.message} {preview.refusal.hint}"
    return [*lines, *finding_lines(findings), end]


def _deleted_words(contents: FolderContents) -> str:
    return f"{len(contents.deleted):,} deleted, since git has it and the folder not: {names_of(contents.deleted)}"


def _by_folder(paths: tuple[str, ...], most: int | None = None) -> str:
    counts = Counter(f"{path.split('/')[0]}/" if "/" in path else path for path in paths)
    named = []
    for name, count in counts.items():
        named.append(f"{name} {count}" if name.endswith("/") else name)
    if most is not None and len(named) > most:
        named[most:] = ["…"]
    return ", ".join(named)


def _report_adopted(app: App, root: Path, done: Adopted) -> None:
    beside = _lines_beside(root, done)
    app.say_each([*done.kept.recovered, *(beside if app.as_json else ())])
    data = {
        **_preview_data(root, done.preview),
        "commits": list(done.commits),
        "kept": kept_data(done.kept),
        "trust": done.trust or None,
        "unknown_commits": list(unknown_commits(done)),
    }
    look = _first_look(app, root, done)
    if look is not None:
        data["searched"] = len(look.coverage.paths)
        data["unsearched"] = [picked(each, "path reason") for each in look.coverage.unsearched]
        data["keys"] = list(look.keys)
        data["would_move"] = look.moves
    following = []
    if done.commits:
        if done.preview.is_new:
            following.append("Let your agent read BOOTSTRAP.md: its first conversation begins there.")
        following += [
            f"Next, in {root}:",
            '  clawgit remember "..."',
            "  clawgit up .               # commits edits, runs the jobs of the night",
            "  clawgit connect openclaw   # or claude-code, codex: your agent uses it",
        ]
    app.report(data, lambda: [*_adopted_lines(root, done, look, beside), *following])


def _lines_beside(root: Path, done: Adopted) -> list[str]:
    """Return what is not committed and why, cut to the screen, and the settings made in the repository."""
    remarks = [each.sentence for each in done.kept.remarks]
    remarks = first_few(remarks, FEW, "{} more findings: `clawgit doctor`.")
    lines = [*held_lines(done.kept.held), *remarks, *done.notes]
    history = open_history(root)
    if done.commits and list(history.repo.remotes.names()):
        lines.append(PULLING)
    return [*lines, *unnamed_lines(history)]


class FirstLook(NamedTuple):
    """Searched and other files, places (`notes/keys.md:3`) of what looks like a key, and moves by agent."""

    coverage: Coverage
    keys: tuple[str, ...]
    moves: dict[str, tuple[str, ...]]

    def lines(self, uncommitted: Container[str] = ()) -> list[str]:
        """Return the screen; keys at places in ``uncommitted`` are named elsewhere."""
        from clawgit.agents.first_rearrangement import ORGANIZER
        from clawgit.recall import recall_status

        lines = [recall_status.searched_words(self.coverage.paths)]
        for words in (recall_status.unsearched_words, recall_status.prompt_files_words):
            if words(self.coverage.unsearched):
                lines.append(f"  {words(self.coverage.unsearched)}")
        keys = tuple(filterfalse(uncommitted.__contains__, self.keys))
        if keys:
            lines.append(_key_line(keys))
        if self.moves:
            lines.append("Nothing you have moves tonight. These wait for your yes (`clawgit pending`):")
        for agent, sentences in self.moves.items():
            lines.append(f"  {'; '.join(sentences)} ({agent})")
        if ORGANIZER not in self.moves:
            lines.append("Each night the organizer lists memory in memory/INDEX.md and memory/structured/.")
        return lines


def _first_look(app: App, root: Path, done: Adopted) -> FirstLook | None:
    """Look through a folder that was just adopted, and note the questions about it; None where none was."""
    if not done.commits or done.preview.is_new:
        return None
    from clawgit.agents.first_rearrangement import MOVERS, needs_yes, note_first
    from clawgit.recall.recall_status import read_coverage

    history = app.history(root)
    moves: dict[str, tuple[str, ...]] = {}
    with progress("Reading the history"):
        coverage = read_coverage(history)
        if len(coverage.paths) <= MOST_READ:
            for agent in filter(partial(needs_yes, history), MOVERS):
                sentences = note_first(history, agent, app.now(history))
                if sentences:
                    moves[agent] = sentences
        return FirstLook(coverage, tuple(_keys(history, coverage)), moves)


def _keys(history: History, coverage: Coverage) -> Iterator[str]:
    """Yield the places of keys in what is searched, and in the other files in git and the prompt's: a key file is one."""
    from clawgit.recall import recall_status

    kinds = (recall_status.KIND, recall_status.PROMPT)
    paths = list(coverage.paths)
    for each in coverage.unsearched:
        if each.reason in kinds:
            paths.append(each.path)
    for path in paths[:MOST_READ]:
        with suppress(ClawgitError, OSError):  # a file outside the workspace, or none any more
            content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
            if content is not None and is_text(content.data):
                for secret in find_secrets(as_utf8(content.data).decode("utf-8", "replace")):
                    yield f"{redact_path(path)}:{secret.line}"


def _key_line(keys: tuple[str, ...]) -> str:
    named = shown(few(keys, MOST_KEYS), keep_newlines=False)
    words = f"{len(keys):,} lines look like keys: {named}. Answers mask them"
    if len(keys) == 1:
        words = f"1 line looks like a key: {named}. Answers mask it"
    return f"{words}; use a password manager."


def _aside_words(contents: FolderContents) -> str:
    names = tuple(path.removeprefix(ADOPTED) for path in contents.moved)
    return (
        f"{names_of(names)} to {ADOPTED}, since clawgit writes its own under {'that name' if len(names) == 1 else 'these names'}."
        f" `git mv {quote(contents.moved[0])} NEW-NAME` brings yours back, after `clawgit uninstall` also as {names[0]}."
    )


def _adopted_lines(root: Path, done: Adopted, look: FirstLook | None, beside: Sequence[str]) -> list[str]:
    """Return the screen of an adoption: what was done, what was found, what is pending, authors, and what is left out."""
    if done.preview.was_workspace:
        beside = [LOST_BEFORE, *beside]
    if not done.commits and done.trust:
        return [
            *beside,
            f"{root} is a clawgit workspace now: its repository had every file of one, as a clone has.",
            "Run `clawgit hooks install` in each clone that remembers: without it, the next pull conflicts at the end of MEMORY.md.",
        ]
    if not done.commits:
        return [*beside, f"{root} is a workspace already; nothing was missing."]
    created = counted(len(done.preview.created), "file")
    there = len(done.found.own.paths) + len(done.found.notes.paths) + len(done.found.others.paths)
    committed = ""
    if there:
        committed = f", {there} committed as {'it is' if there == 1 else 'they are'}"
    if done.found.deleted:
        committed += f", {_deleted_words(done.found)}"
    is_talking = not done.preview.is_new and first_talk_is_open(root)
    first_talk = " First-run setup ends when BOOTSTRAP.md is deleted; memory/ is made after that."
    access = "New files are for this account alone (mode 600): run the agent as this user."
    if is_shared(root.stat()):
        access = (
            "Other accounts share the folder, so new files get the permissions of your umask. .git/clawgit belongs to this"
            " account: run clawgit under it."
        )
    works = "Your agent works as before"
    given = list(filter(done.preview.created.__contains__, ("SOUL.md", "AGENTS.md")))
    if given and not done.preview.is_new:
        works = f"Your agent finds {' and '.join(given)} from now on, made from a template: read what they tell it"
    lines = [
        f"{root} is a clawgit workspace now ({created} created{committed}).",
        f"{works}; `clawgit keep` commits its edits.{first_talk * is_talking}",
        access,
    ]
    if done.found.moved:
        lines.append(f"Moved {_aside_words(done.found)}")
    parts = [whose_lines(done.found, done.trust), beside]
    if look is not None:
        secrets = {f"{each.path}:{each.line}" for each in done.kept.held if each.rule == "secret"}
        parts.insert(0, look.lines(secrets))
    return [*lines, *chain.from_iterable(parts)]


def adopted_for_up(app: App, root: Path, trust: str | None = None, edits_here: str | None = None) -> None:
    done = _adopt(app, root, trust, edits_here)
    lines = _adopted_lines(root, done, _first_look(app, root, done), _lines_beside(root, done))
    app.say_each((*done.kept.recovered, *lines))


def refuse_to_adopt(app: App, root: Path) -> None:
    """Raise what `adopted_for_up` would, before any change."""
    refusal = preview_adoption(root, actor=app.actor).refusal
    if refusal is not None:
        raise refusal


def unknown_commits(done: Adopted) -> tuple[str, ...]:
    own = done.found.own.commits if done.trust == "unknown" else ()
    contents = done.found
    return (*own, *contents.notes.commits, *contents.others.commits, *contents.aside.commits)


def whose_lines(contents: FolderContents, trust: str | None) -> list[str]:
    """Return one sentence on the authors of the files, and below it how to claim those of an unknown author."""
    parts = []
    if contents.had_commits:
        parts.append("what git had before counts as yours, but for mails")
        parts += _people(contents.people)
    unknown = (*contents.notes.paths, *contents.others.paths)
    own = contents.own.paths
    if own and trust in (OPERATOR, HOST):
        whose = "your words, as you said"
        if trust == HOST:
            whose = "your agent's: its own program made them"
        parts.append(f"{_named(own)} {_count(len(own))} as {whose}")
    else:
        unknown = (*own, *unknown)
    if unknown:
        named = names_of(unknown) if len(unknown) <= FEW else f"{len(unknown):,} files"
        parts.append(f"{named} that `init` commits {_count(len(unknown))} as an unknown author's")
    if not parts:
        return []
    lines = []
    if own and trust not in (OPERATOR, HOST):
        lines += _claim(own, contents.own.commits)
    lines += _claim(contents.notes.paths, contents.notes.commits)
    lines += _claim(contents.others.paths, contents.others.commits)
    way = ""
    if lines:
        way = " To claim what you checked:"
    return [f"Whose words: {'; '.join(parts)}.{way}", *lines]


def _people(commits: Mapping[str, int]) -> list[str]:
    if not commits:
        return []
    names = tuple(sorted(commits, key=commits.__getitem__, reverse=True))
    named = few(names, FEW)
    if len(names) <= FEW:
        named = names_of(names)
    total = sum(commits.values())
    return [f"of it, {counted(total, 'commit')} by {named} {_count(total)} as yours, too: `clawgit log`"]


def _named(paths: tuple[str, ...]) -> str:
    folders = {path.rpartition("/")[0] for path in paths}
    if len(paths) <= FEW:
        return names_of(paths)
    if len(folders) == 1 and "" not in folders:
        return f"{len(paths):,} files in {folders.pop()}/"
    return f"{names_of(paths[:1])} and {len(paths) - 1:,} more"


def _claim(paths: tuple[str, ...], commits: tuple[str, ...]) -> list[str]:
    if not commits:
        return []
    named = " ".join(commit[:12] for commit in commits)
    return [f"  {_named(paths)}: clawgit keep --as operator {named}"]


def _count(number: int) -> str:
    return "counts" if number == 1 else "count"
