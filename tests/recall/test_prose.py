"""Texts of the workspace that are no memory: searched, in any writing, below memory; masked, and never remembered."""

from __future__ import annotations

import subprocess

import pytest

from clawgit.context.assemble_context import assemble_context
from clawgit.context.wanted_context import WantedContext
from clawgit.errors import ClawgitError
from clawgit.history.provenance.why import find_why, find_why_line
from clawgit.recall.get_lines import get_lines
from clawgit.recall.recall_status import (
    held_in_prompt,
    lines_often_found,
    note_found,
    nothing_found,
    read_coverage,
    searched_words,
    unsearched_words,
)
from clawgit.recall.search import search, search_as_of
from clawgit.recall.search_results import Query

KEY = "sk-proj-Ab3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3"


def found(room, query: str) -> list[tuple[str, str, str]]:
    results = search(room.history, Query(query), room.now).results
    return [(hit.path, hit.snippet, hit.trust) for hit in results]


@pytest.mark.parametrize("path", ["notes/lease.md", "lease.txt", "projects/home/lease.markdown"])
def test_a_text_anywhere_in_the_folder_is_found_and_has_the_trust_of_who_committed_it(
    room, path: str
) -> None:
    """Mutants: the fold, or the search, reads `.md` alone, so that what the operator committed is by nobody."""
    line = "Der Mietvertrag endet im Juni 2028."
    for actor, year in (("host", "2027"), ("operator", "2028")):
        text = line.replace("2028", year)
        room.write(path, f"{text}\n")
        room.keep(actor)
        assert found(room, "Wann endet der Mietvertrag?") == [(path, text, actor)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-32"])
def test_a_text_is_read_in_whatever_it_is_written(room, encoding: str) -> None:
    """Mutants: bytes that are no UTF-8 are replaced, so the word is not found and the line is shown broken.

    The fold or `why` reads the bytes as they are, so that whose the line is, is looked up by other words.
    """
    room.write("notes/x.txt", "")
    (room.root / "notes/x.txt").write_bytes("Kopf\n\nDer Schlüssel hängt links.\n".encode(encoding))
    room.keep("operator")
    assert found(room, "Schlüssel")[0] == ("notes/x.txt", "Der Schlüssel hängt links.", "operator")
    assert get_lines(room.history, "notes/x.txt", 3, 1).text == "Der Schlüssel hängt links."
    on = room.now.date()
    for why in (
        find_why(room.history, "Schlüssel hängt", on),
        find_why_line(room.history, "notes/x.txt", 3, on),
    ):
        assert (why.words, why.place, why.trust) == (
            "Der Schlüssel hängt links.",
            "notes/x.txt:3",
            "operator",
        )


def test_utf8_with_a_damaged_byte_stays_utf8(room) -> None:
    """Mutant: one bad byte makes a whole text Latin-1."""
    room.write("notes/x.txt", "")
    (room.root / "notes/x.txt").write_bytes("Der Schlüssel hängt über der Tür.\n".encode() + b"\xff\n")
    assert found(room, "Schlüssel")[0][1] == "Der Schlüssel hängt über der Tür."


def test_memory_comes_before_prose_that_says_the_same(room) -> None:
    """Mutant: prose ranks as memory does."""
    room.write("notes/a.md", "- The quince harvest was good!\n")
    room.write("memory/2026-03-18.md", "- The quince harvest was good.\n")
    assert [path for path, *_ in found(room, "quince harvest")] == ["memory/2026-03-18.md", "notes/a.md"]


def test_keys_are_masked_in_search_get_and_context(room) -> None:
    room.write("notes/keys.md", f"# Keys\n\n- openai key: {KEY}\n- Nora's locker is 12.\n")
    context = assemble_context(room.history, WantedContext("what is the openai key"), room.now)
    shown = [
        found(room, "openai key")[0][1],
        get_lines(room.history, "notes/keys.md").text,
        context.stable + context.recalled,
    ]
    for text in shown:
        assert "openai key: [redacted" in text
        assert KEY not in text
    assert get_lines(room.history, "notes/keys.md", 4, 1).text == "- Nora's locker is 12."


def test_what_git_ignores_is_neither_found_nor_served_and_the_rules_are_followed(room) -> None:
    """Mutant: a rule that changes after the file was read is not seen."""
    room.write("out/a.md", "quince\n")
    rules = room.read(".gitignore")
    assert [path for path, *_ in found(room, "quince")] == ["out/a.md"]

    room.write(".gitignore", f"{rules}out/\n")
    assert found(room, "quince") == []
    with pytest.raises(ClawgitError):
        get_lines(room.history, "out/a.md")

    room.write(".gitignore", rules)
    assert [path for path, *_ in found(room, "quince")] == ["out/a.md"]


def test_a_text_that_is_committed_is_searched_although_a_rule_names_it(room) -> None:
    room.write("out/a.md", "quince\n")
    room.keep("operator")
    room.write(".gitignore", f"{room.read('.gitignore')}out/\n")
    assert [path for path, *_ in found(room, "quince")] == ["out/a.md"]


def test_a_past_state_is_searched_with_its_prose(room) -> None:
    room.write("notes/a.txt", "quince\n")
    room.keep("operator")
    answer, _ = search_as_of(room.history, Query("quince"), room.now, room.now)
    assert [hit.path for hit in answer.results] == ["notes/a.txt"]


def test_prose_that_many_sessions_find_is_not_promoted(room) -> None:
    """Mutant: every dated file is a note of memory."""
    for path in ("notes/2026-03-18.md", "memory/2026-03-18.md"):
        room.write(path, f"- The quince harvest was good ({path}).\n")
    for session in "abc":
        answer = search(room.history, Query("quince harvest"), room.now)
        note_found(room.history, "quince harvest", session, answer, room.now)
    lines = lines_often_found(room.history, room.now, 30)
    assert [line.path for line in lines] == ["memory/2026-03-18.md"]


def test_an_answer_without_a_hit_says_where_was_looked_and_where_not(room) -> None:
    room.write("notes/a.md", "quince\n")
    room.write("private/b.md", "plum\n")
    room.write("notes/c.txt", "x\0y")
    (room.root / "notes/d.md").symlink_to("a.md")
    room.history.settings = room.history.settings._replace(search_exclude=("private",))
    said = nothing_found(room.history)
    assert said.startswith("Nothing in ")
    assert (
        "3 files are not searched: notes/c.txt (too large, or not readable as text); notes/d.md (a link); "
        "private/b.md (`search_exclude` names it)."
    ) in said


def test_many_unsearched_files_are_counted_by_the_reason(room) -> None:
    room.write(".gitignore", f"{room.read('.gitignore')}out/\n")
    for number in range(5):
        room.write(f"out/{number}.md", "plum\n")
    assert " 5 files are not searched: `clawgit memory status`." in nothing_found(room.history)
    unsearched = read_coverage(room.history).unsearched
    assert unsearched_words(unsearched) == "5 files are not searched: git ignores it: 5."


def test_committed_files_of_other_kinds_are_named_as_not_searched(room) -> None:
    """Mutants: a sheet is passed by in silence; so is one in a folder; hidden files are named."""
    room.write("unpaid.csv", "who,EUR\nBea,118\n")
    room.write("scans/lease.pdf", "%PDF-1.4\n")
    room.write("notes/.cache.json", "{}\n")
    room.keep()
    assert nothing_found(room.history).endswith(
        " 2 files are not searched: scans/lease.pdf (none of .md, .markdown, .txt); unpaid.csv (none of .md, .markdown, .txt)."
    )


def test_what_is_searched_and_what_not_is_every_text_that_find_lists(room) -> None:
    """Mutants: what stands in every prompt, what is clawgit's own, or a file of another's name in a folder is in neither count."""
    for path in ("docs/wiring.md", "docs/USER.md", "projects/AGENTS.md", "memory/people/nora.md", "b.txt"):
        room.write(path, "plum\n")
    (room.root / "docs/bytes.md").write_bytes(b"\0\1")
    words = "-path ./.git -prune -o ( -name *.md -o -name *.markdown -o -name *.txt ) -print"
    command = ["find", ".", *words.split()]
    lines = subprocess.run(command, cwd=room.root, capture_output=True, text=True, check=True).stdout.split()
    coverage = read_coverage(room.history)
    listed = [*coverage.paths, *(each.path for each in coverage.unsearched)]
    assert sorted(listed) == sorted(line.removeprefix("./") for line in lines)
    assert {"docs/wiring.md", "b.txt"} <= {*coverage.paths}
    reasons = dict(coverage.unsearched)
    assert reasons["docs/USER.md"] == reasons["USER.md"] == "for your agent's prompt"
    assert reasons["CONFIG.md"] == reasons["agents/organizer/SOUL.md"] == "clawgit's own"
    assert nothing_found(room.history).startswith(
        f"Nothing in {len(coverage.paths)} files. 1 file is not searched: docs/bytes.md"
    )


def test_what_is_searched_is_counted_by_folder() -> None:
    paths = ["MEMORY.md", "memory/2026-03-18.md", "notes/a.md", "notes/b/c.txt", "plan.md"]
    assert searched_words(paths) == ("Searched: 2 files of memory and 3 beside it (notes/ 2, this folder 1).")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        pytest.param(
            "what is the printer's number",
            'TOOLS.md is not searched; it has "- The printer is at',
            id="half of it",
        ),
        pytest.param(
            "Welche Zeitzone?",
            'USER.md is not searched; it has "Zeitzone: Berlin" in line 1.',
            id="another language",
        ),
        pytest.param(
            "oven thermostat",
            'HEARTBEAT.md is not searched; it has "Look at the oven thermostat." in line 1.',
            id="all of it",
        ),
        pytest.param("who mended the oven of the neighbour", "", id="less than half"),
        pytest.param("what is it", "", id="nothing that tells"),
    ],
)
def test_words_that_a_prompt_file_has_are_named_with_their_place(room, query: str, told: str) -> None:
    """Mutants: the first line that has a word is named; any word is enough."""
    room.write("TOOLS.md", "# Tools\n\n- The printer is at 192.168.1.44.\n- The oven is old.\n")
    room.write("USER.md", "Zeitzone: Berlin\n")
    room.write("HEARTBEAT.md", "Look at the oven thermostat.\n")
    said = held_in_prompt(room.history, query, room.now)
    assert said.startswith(told)
    assert bool(said) == bool(told)


def test_of_a_long_line_of_a_prompt_file_the_sentence_that_answers_is_told_whole(room) -> None:
    """Mutant: the line's first characters are told, and the value is cut off."""
    about = "- **Notes:** runs a small nursery (camellias, hydrangeas, citrus, natives). 2 greenhouses and a shade tunnel. Open from Tuesday to Saturday, and on the first Sunday of the month at the market."
    room.write("USER.md", f"{about} Allergic to wasp stings, carries an epipen. Lives in Aldán.\n")
    said = held_in_prompt(room.history, "What am I allergic to?", room.now)
    assert said.startswith(
        'USER.md is not searched; it has "Allergic to wasp stings, carries an epipen." in line 1.'
    )


def test_of_two_prompt_files_that_have_as_much_both_are_named(room) -> None:
    room.write("TOOLS.md", "- The printer is at 192.168.1.44.\n")
    room.write("USER.md", "- Address: Lindenweg 4\n")
    said = held_in_prompt(room.history, "printer lindenweg", room.now)
    assert [
        word in said for word in ('TOOLS.md is not searched; it has "', 'USER.md is not searched; it has "')
    ] == [
        True,
        True,
    ]


def test_core_memory_comes_before_a_dated_note_that_answers_as_well(room) -> None:
    """Mutant: a short line of an old note, which holds the word by itself, is first."""
    room.write(
        "MEMORY.md", "## Rent and bills\n\n- Rent is 1480 a month, due on the 1st.\n- The van is white.\n"
    )
    room.write(
        "memory/2026-03-04-rent-talk.md", "# Rent talk\n\nuser: rent is 1520\nassistant: ok\nuser: hi\n"
    )
    room.write("memory/2026-03-05.md", "- Rent paid.\n")
    room.write("memory/2026-03-06.md", "- Tea with Emil.\n")
    paths = [path for path, *_ in found(room, "rent")]
    assert paths[0] == "MEMORY.md"
    assert found(room, "rent on 5 March 2026")[0][0] == "memory/2026-03-05.md"


@pytest.mark.parametrize(
    "copy", ["locomotiv (copy).md", "locomotiv-OLD.md", "locomotiv.bak.md", "Locomotiv (1).md"]
)
def test_a_copy_of_a_file_comes_below_the_file(room, copy: str) -> None:
    """Seen: the curfew of last year came first. Mutants: by path alone; a copy without its file is put last."""
    room.write(f"venues/{copy.replace('Loc', 'loc')}", "Curfew: 00:00\n")
    room.write(
        "venues/lido.md",
        "Curfew at the locomotiv: ask Gabriele, who knows of the neighbours and all of their letters\n",
    )
    room.keep("operator")
    assert found(room, "locomotiv curfew")[0][1] == "Curfew: 00:00"

    room.write("venues/locomotiv.md", "Curfew: 23:30 since September, was midnight\n")
    room.keep("operator")

    paths = [path for path, _, _ in found(room, "locomotiv curfew")]
    assert paths.index("venues/locomotiv.md") + 1 == paths.index(f"venues/{copy.replace('Loc', 'loc')}")


@pytest.mark.parametrize(
    "old",
    ["brouillons/copie de MEMORY vieux.md", "antiguo/MEMORY2024.md", "MEMORY_kopia.md", "notes/keys-alt.md"],
)
def test_an_old_text_beside_memory_does_not_answer_first(room, old: str) -> None:
    """Seen: the lock box's code of January. Mutants: a stale copy leads; a question for it is not heard."""
    code = "- code boite a clé 4471\n"
    room.write("papiers/porte.md", f"- taxe de séjour 1,10 € par nuit\n{code}- Wifi clients: Invites\n")
    room.write(old, "- petit dej 7h30\n- code boite a clé 2290\n- linge: lundi\n")
    room.keep("operator")
    assert found(room, "code boite a clé")[0][0] == "papiers/porte.md"
    word = next(each for each in ("vieux", "antiguo", "kopia", "alt") if each in old)
    assert found(room, f"{word} boite a clé")[0][0] == old


@pytest.mark.parametrize(
    "path", ["notes/copyright.md", "backup-plan.md", "goldmine.md", "archives.md", "memory/old/plan.md"]
)
def test_what_is_about_copies_or_older_things_is_not_old(room, path: str) -> None:
    """Mutants: parts of words; a file about backups; the folder of a note in memory."""
    room.write(path, "- the server restarts on Fridays\n")
    room.write("zoo.md", "- the server restarts on Mondays\n")
    room.keep("operator")
    assert found(room, "server restarts")[0][0] == path


def test_a_line_that_calls_itself_old_comes_below_the_other(room) -> None:
    """Mutants: the sign counts within the line; a question for the old code is not heard."""
    room.write("papers/codes.md", "box code 2290  (vieux)\n")
    room.write("papers/keys.md", "the box: code 4471, since we changed it in March\n")
    room.keep("operator")
    assert found(room, "box code")[0][0] == "papers/keys.md"
    assert found(room, "vieux box code")[0][0] == "papers/codes.md"
