"""Search as a whole: from a question to lines as they stand in the files."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime

import pytest
from tests_folder import TESTS

from clawgit.errors import ClawgitError
from clawgit.recall import search as search_module
from clawgit.recall.index.places import SearchLimits, has_tag
from clawgit.recall.search import RESTING, search
from clawgit.recall.search_results import Hits, Query
from clawgit.text.markdown.lines import split_lines

VECTORS = TESTS / "vectors"
KEYWORDS = json.loads((VECTORS / "keyword_search.json").read_text("utf-8"))
DECAY = json.loads((VECTORS / "decay.json").read_text("utf-8"))
DAY = "memory/2026-03-18.md"


def found(room, query: str, **wanted) -> Hits:
    return search(room.history, Query(query, **wanted), room.now)


def paths(room, query: str, **wanted) -> list[str]:
    return list(dict.fromkeys(hit.path for hit in found(room, query, **wanted).results))


def snippets(room, query: str, **wanted) -> list[str]:
    return [hit.snippet for hit in found(room, query, **wanted).results]


def settings(room, **values) -> None:
    room.history.settings = room.history.settings._replace(**values)


@pytest.mark.parametrize("case", KEYWORDS["cases"], ids=lambda case: case["id"])
def test_keyword_search_of_the_vectors(case, room) -> None:
    for path, text in KEYWORDS["docs"].items():
        room.write(path, text)
    answer = paths(room, case["query"])
    assert set(case["must_find"]) <= set(answer)
    assert answer[:1] == [] if not case["must_find"] else answer[0] in case["first_should_be_one_of"]


def test_a_hit_says_where_it_stands_and_under_what(room) -> None:
    room.write(
        "MEMORY.md",
        "# Memory\n\n## API\n\n- 2026-01-20: Chose REST over GraphQL. #decision <!-- m:7k2x9d -->\n",
    )
    (hit,) = found(room, "did we choose GraphQL", most=1).results
    assert (hit.path, hit.first, hit.last, hit.source, hit.tier) == ("MEMORY.md", 5, 5, "memory", "T1")
    assert hit.snippet == "- 2026-01-20: Chose REST over GraphQL. #decision"
    assert (hit.titles, hit.entries, hit.citation) == (("Memory", "API"), ("m:7k2x9d",), "MEMORY.md:5")
    assert 0 < hit.score <= 1


@pytest.mark.parametrize("query", ["helicopter", "the", "?!", "的", "NEAR(", '"'])
def test_what_nobody_wrote_is_not_found(room, query: str) -> None:
    room.write(DAY, "- The deploy failed.\n")
    assert snippets(room, query) == []


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_a_blank_query_is_refused(room, query: str) -> None:
    with pytest.raises(ClawgitError, match="nothing to search for"):
        found(room, query)


def test_a_heading_brings_what_stands_below_it(room) -> None:
    room.write(DAY, "# Day\n\n## Quince harvest\n\nForty kilos, most of them ripe.\n\n## Lunch\n\nSoup.\n")
    first = found(room, "quince harvest").results[0]
    assert (first.first, first.last) == (3, 5)
    assert first.snippet == "## Quince harvest\nForty kilos, most of them ripe."


@pytest.mark.parametrize(
    ("note", "lines"),
    [
        ("# Quince harvest\n\n## Forty kilos\n\nMost are ripe.\n", (1, 5)),
        ("## Quince harvest\n\n# Forty kilos\n\nMost are ripe.\n", (1, 1)),
        ("# Quince harvest\n\n## Forty kilos\n\n## Most are ripe\n", (1, 1)),
    ],
    ids=["its own section", "another subject", "no text"],
)
def test_a_title_brings_the_text_below_its_first_section(room, note: str, lines: tuple[int, int]) -> None:
    """Mutants: only what is right below it; headings of another subject; a heading for a text."""
    room.write(DAY, note)
    first = found(room, "quince harvest").results[0]
    assert (first.first, first.last) == lines


def test_no_line_is_shown_twice_and_no_title_for_its_neighbours_sake(room) -> None:
    room.write(DAY, "# Fruit\n\n## Quince\n\nThe quince harvest was good.\n\n## Other\n\nNothing.\n")
    results = found(room, "quince harvest", min_score=0.0).results
    lines = [line for hit in results for line in hit.snippet.split("\n")]
    assert len(lines) == len(set(lines))
    assert "# Fruit" not in lines


def test_what_is_not_committed_is_found(room) -> None:
    room.write(DAY, "- quince\n")
    assert paths(room, "quince") == [DAY]
    (room.root / DAY).unlink()
    assert paths(room, "quince") == []


def test_a_typing_error_is_forgiven_and_said(room) -> None:
    room.write(DAY, "- The quinces were sour.\n")
    answer = found(room, "qiunces")
    assert [hit.path for hit in answer.results] == [DAY]
    assert "qiunces" in answer.notes[0]


def test_what_happened_on_a_day_needs_no_other_word(room) -> None:
    room.write(DAY, "- Ate soup.\n")
    room.write("memory/2026-03-17.md", "- Ate bread.\n")
    assert snippets(room, "what happened yesterday") == ["- Ate soup."]


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"tier": "T1"}, ["MEMORY.md"]),
        ({"tier": "T2"}, [DAY]),
        ({"path": "memory"}, [DAY]),
        ({"category": "decision"}, ["MEMORY.md"]),
        ({"source": "extra"}, []),
    ],
)
def test_limits_hold_for_what_stands_beside_a_match_too(room, limits, expected) -> None:
    room.write("MEMORY.md", "- quince jam #decision\n- quince\n")
    room.write(DAY, "- quince\n- beside\n")
    assert paths(room, "quince", limits=SearchLimits(**limits)) == expected
    if limits.get("category"):
        assert snippets(room, "quince", limits=SearchLimits(**limits)) == ["- quince jam #decision"]


@pytest.mark.parametrize(
    ("text", "tag", "has"),
    [
        ("quince #decision", "decision", True),
        ("quince #decision.", "decision", True),
        ("(#Decision) quince", "decision", True),
        ("quince #décision, jam", "DÉCISION", True),
        ("quince #de\u0301cision", "décision", True),
        ("用哪个 #决定。", "决定", True),
        ("quince #decisions", "decision", False),
        ("quince #decision-log", "decision", False),
        ("quince at https://example.org/#decision", "decision", False),
        ("quince decision", "decision", False),
        ("quince #a.b", "a.b", True),
        ("quince #acb", "a.b", False),
    ],
)
def test_which_tags_an_entry_has(text: str, tag: str, has: bool) -> None:
    """Mutant: the tag compared with a space behind it."""
    assert has_tag(text, tag) is has


def test_a_category_is_a_tag_whatever_its_letters(room) -> None:
    room.write(DAY, "- quince #Décision.\n- quince jam\n")
    assert snippets(room, "quince", limits=SearchLimits(category="décision")) == ["- quince #Décision."]


def test_of_a_line_that_stands_everywhere_every_place_is_found(room) -> None:
    """Mutant: four places of a text, however few texts there are."""
    for number in range(10, 20):
        room.write(f"memory/2026-02-{number}.md", "- quince\n")
    assert len(paths(room, "quince", most=20)) == 10


def test_an_extra_folder_is_searched_and_followed_where_a_setting_names_it(room, tmp_path) -> None:
    extra = tmp_path / "notes"
    extra.mkdir()
    (extra / "2026-03-01.md").write_text("- quince\n")
    assert paths(room, "quince") == []
    settings(room, search_extra_paths=(str(extra),))
    (hit,) = found(room, "quince").results
    assert (hit.path, hit.source, hit.tier) == (f"{extra}/2026-03-01.md", "extra", "T2")
    (extra / "2026-03-01.md").write_text("- apple\n")
    assert paths(room, "quince") == []
    settings(room, search_extra_paths=())
    assert paths(room, "apple") == []


def test_results_are_as_many_as_wanted(room) -> None:
    room.write(DAY, "".join(f"- quince {n}\n\n" for n in range(30)))
    room.write("memory/2026-03-01.md", "- quince\n")
    assert len(found(room, "quince", most=2).results) == 2


def test_a_long_line_is_shown_around_what_was_asked(room) -> None:
    room.write(DAY, "- " + "word " * 400 + "quince jam " + "more " * 400 + "\n")
    (snippet,) = snippets(room, "quince jam")
    assert "quince jam" in snippet
    assert len(snippet) <= 700


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_ids_comments_and_line_ends_are_not_shown(room, ends: str) -> None:
    room.write(
        DAY, ends.join(["\ufeff# Day", "", "- quince <!-- m:ab12cd -->", "  jam <!-- note -->", "", ""])
    )
    (hit,) = found(room, "quince jam", most=1).results
    assert (hit.first, hit.last, hit.snippet) == (3, 4, "- quince\n  jam")
    assert len(split_lines((room.root / DAY).read_bytes())) == 5


@pytest.mark.rest
def test_a_file_that_rested_and_was_read_is_shown_as_it_was_changed_since(room) -> None:
    """Mutant: its size and time of change, which can be put back, say that it is still the same."""
    room.write(DAY, "- quince jam in May\n")
    before = (room.root / DAY).stat()
    time.sleep(RESTING / 1e9 + 0.1)
    assert snippets(room, "quince jam") == ["- quince jam in May"]
    assert snippets(room, "quince jam") == ["- quince jam in May"]

    with (room.root / DAY).open("r+") as file:
        file.write("- quince jam in Jul\n")
    os.utime(room.root / DAY, ns=(before.st_atime_ns, before.st_mtime_ns))
    time.sleep(RESTING / 1e9 + 0.1)

    assert snippets(room, "quince jam") == ["- quince jam in Jul"]


LEDGER = """## 2026-03-01 10:22 <!-- x:4f1c re-embedded:false -->

- trigger: that is wrong
- said: The office is in Berlin.
- correct: The office is in Hamburg.
- corrects: m:aa11bb
- status: {status}
"""


def correct(room, ledger: str) -> None:
    """Commit everything that stands in the folder, with this ledger, as the operator's."""
    room.write("CORRECTIONS.md", ledger)
    room.keep("operator")


def test_a_correction_comes_in_place_of_what_it_corrects(room) -> None:
    room.write("MEMORY.md", "- The office is in Berlin. <!-- m:aa11bb -->\n- The office cat is called Tom.\n")
    correct(room, LEDGER.format(status="open"))
    first, *rest = found(room, "Where is the office? Berlin?").results
    assert (first.path, first.first, first.last, first.entries) == ("CORRECTIONS.md", 1, 7, ("x:4f1c",))
    assert first.snippet == "The office is in Hamburg.\ninstead of: The office is in Berlin."
    assert [(old.path, old.first, old.text) for old in first.instead_of] == [
        ("MEMORY.md", 1, "The office is in Berlin.")
    ]
    assert "- The office is in Berlin." not in [hit.snippet for hit in rest]
    assert first.score > 1  # what it would have scored, times the boost, not clamped


def test_an_entry_that_reads_right_by_now_stays_behind_its_correction(room) -> None:
    room.write("MEMORY.md", "- 2026-03-01: The office is in Hamburg. #knowledge <!-- m:aa11bb -->\n")
    correct(room, LEDGER.format(status="applied"))
    first, second, *_ = found(room, "Where is the office?").results
    assert (first.entries, first.instead_of) == (("x:4f1c",), ())
    assert second.entries == ("m:aa11bb",)


def test_for_a_reader_a_correction_and_the_line_that_says_so_by_now_are_one_hit(room) -> None:
    room.write("MEMORY.md", "- 2026-03-01: The office is in Hamburg. #knowledge <!-- m:aa11bb -->\n")
    correct(room, LEDGER.format(status="applied"))

    (only,) = search(room.history, Query("Where is the office?", each_once=True), room.now).results

    assert only.standing is not None
    assert (only.path, only.standing.path) == ("CORRECTIONS.md", "MEMORY.md")


def test_a_withdrawn_correction_replaces_nothing(room) -> None:
    room.write("MEMORY.md", "- The office is in Berlin. <!-- m:aa11bb -->\n")
    correct(room, LEDGER.format(status="withdrawn"))
    assert "MEMORY.md" in paths(room, "Where is the office? Berlin?")


@pytest.mark.parametrize("status", ["withdrawn", "open"])
def test_a_correction_that_does_not_hold_stands_behind_what_memory_says(room, status: str) -> None:
    """Mutant: it counts as any line does."""
    room.write("MEMORY.md", "- The office is in Berlin. <!-- m:aa11bb -->\n")
    correct(room, LEDGER.format(status=status).replace("- correct: The office is in Hamburg.\n", ""))
    assert paths(room, "Where is the office? Berlin?")[0] == "MEMORY.md"


def test_an_earlier_correction_never_comes_before_the_later_one_of_the_same_entry(room) -> None:
    """Mutant: `superseded` finds none."""
    room.write("MEMORY.md", "- The office is in Bremen. <!-- m:aa11bb -->\n")
    earlier = LEDGER.format(status="applied")
    later = earlier.replace("4f1c", "9d2e").replace("Hamburg", "Bremen").replace("Berlin", "Hamburg")
    correct(room, earlier + "\n" + later)  # in the same minute
    found_ = found(room, "office in Hamburg or Berlin").results
    assert found_[0].entries == ("x:9d2e",)
    assert "x:4f1c" not in [entry for hit in found_ for entry in hit.entries]


def test_a_note_with_what_was_corrected_twice_brings_the_later_correction(room) -> None:
    """Mutant: `_what_holds` returns what it is given."""
    earlier = LEDGER.format(status="applied").replace("The office is in", "The office of the team is in")
    later = earlier.replace("4f1c", "9d2e").replace("Hamburg", "Bremen").replace("Berlin", "Hamburg")
    room.write("MEMORY.md", "- The office of the team is in Bremen. <!-- m:aa11bb -->\n")
    room.write(DAY, "The office of the team is in Berlin.\n")
    correct(room, earlier + "\n" + later)
    first, *others = found(room, "office of the team in Berlin").results
    assert first.entries == ("x:9d2e",)
    assert DAY in [old.path for old in first.instead_of]
    assert "x:4f1c" not in [entry for hit in others for entry in hit.entries]


def test_the_title_of_the_ledger_shows_no_correction_below_it_as_if_it_were_a_note(room) -> None:
    """Mutant: `_below` takes any text. Then what was said wrong is shown unmarked."""
    correct(room, "# Ledger of quinces\n\n" + LEDGER.format(status="applied"))
    assert snippets(room, "quinces") == ["# Ledger of quinces"]


def test_of_two_corrections_the_later_one_holds(room) -> None:
    room.write("MEMORY.md", "- The office is in Berlin. <!-- m:aa11bb -->\n")
    later = (
        LEDGER.format(status="applied")
        .replace("03-01", "03-05")
        .replace("4f1c", "9d2e")
        .replace("Hamburg", "Bremen")
    )
    correct(room, later + "\n" + LEDGER.format(status="applied"))
    (hit, *_) = [hit for hit in found(room, "Where is the office? Berlin?").results if hit.instead_of]
    assert hit.entries == ("x:9d2e",)


def test_a_correction_of_nothing_in_particular_is_only_boosted(room) -> None:
    room.write(DAY, "- The Berlin office is large.\n")
    correct(room, LEDGER.format(status="logged").replace("m:aa11bb", ""))
    answer = found(room, "office Berlin").results
    assert [hit.path for hit in answer] == ["CORRECTIONS.md", DAY]
    assert answer[0].score == pytest.approx(1.5 * answer[1].score)


def test_the_boost_never_lifts_an_irrelevant_correction(room) -> None:
    room.write(DAY, "- The deploy of the new office software failed with a timeout.\n")
    correct(room, LEDGER.format(status="open"))
    assert paths(room, "deploy software timeout failed") == [DAY]


@pytest.mark.parametrize("query", ["how much does the violin cost", "quanto costa il violino"])
def test_the_boost_lifts_no_correction_above_a_line_that_has_a_word_which_it_lacks(room, query: str) -> None:
    room.write(
        "MEMORY.md",
        "- Piano lessons cost 40 euro an hour. <!-- m:aa11bb -->\n- Violin: 30 euro per lesson.\n- Il violino di Marta sta nella stanza 4.\n",
    )
    ledger = LEDGER.format(status="applied").replace(
        "The office is in Berlin.", "Piano lessons cost 35 euro an hour."
    )
    correct(room, ledger.replace("The office is in Hamburg.", "Piano lessons cost 40 euro an hour."))
    assert "Violin" in found(room, query).results[0].snippet
    assert found(room, "how much does the piano cost").results[0].path == "CORRECTIONS.md"


def test_a_correction_of_what_only_stands_beside_or_below_is_not_lifted(room) -> None:
    """Mutant: the boost for every hit."""
    room.write(
        "memory/berlin.md",
        "- The boiler code is 4471.\n- The office is in Bonn. <!-- m:aa11bb -->\n- The cat is called Tom.\n",
    )
    correct(room, LEDGER.format(status="open").replace("Berlin", "Bonn"))
    first, *rest = found(room, "boiler code berlin", min_score=0.0).results
    assert first.first == 1
    (corrected,) = [hit for hit in rest if hit.instead_of]
    assert corrected.score < 0.5


SESSION = """# Session: das Monatsbudget von Birke

user: Danke, das hilft.

user: Das Monatsbudget von Birke beträgt 510 Euro.

user: Wie hoch ist das Monatsbudget von Nordwind?

assistant: Soweit ich weiß: Das Monatsbudget von Nordwind beträgt 600 Euro.
"""


def test_a_correction_of_what_the_question_names_comes_before_one_of_another_name(room) -> None:
    """Mutant: the whole boost for what only the lines beside the corrected one hold."""
    said = "".join(
        LEDGER.format(status="applied")
        .replace("4f1c", entry)
        .replace("- corrects: m:aa11bb\n", "")
        .replace("The office is in Berlin.", f"Das Monatsbudget von {name} beträgt 510 Euro.")
        .replace("The office is in Hamburg.", f"Das Monatsbudget von {name} beträgt 850 Euro.")
        + "\n"
        for name, entry in (("Birke", "4f1c"), ("Turm", "9d2e"), ("Specht", "7b3a"))
    )
    room.write("memory/2025-08-01-das-monatsbudget-von.md", SESSION)
    names = ("Turm", "Specht") * 5 + ("Ulme",) * 50
    looked = "".join(f"- Protokolle von {name} angesehen, {at}.\n" for at, name in enumerate(names))
    room.write(DAY, looked)
    correct(room, said)
    for name in ("Turm", "Specht"):
        first = found(room, f"Wie hoch ist das Monatsbudget von {name}?").results[0]
        assert first.snippet.split("\n")[0] == f"Das Monatsbudget von {name} beträgt 850 Euro."


SEARCHED = [case for case in DECAY["path_cases"] if case["tier"] in ("T1", "T2")]


@pytest.mark.parametrize("case", SEARCHED, ids=lambda case: case["id"])
def test_which_files_decay(case, room) -> None:
    path = case["path"].removeprefix("./").replace("\\", "/")
    room.write(path, "- the quince harvest was good\n")
    room.now = datetime(2027, 3, 19, tzinfo=UTC)
    room.write("memory/2027-03-19.md", "- quince\n")
    settings(room, temporal_decay_enabled=True)
    old_last = paths(room, "quince harvest", min_score=0.0)[-1] == path
    assert old_last is (case["decays"] and "2099" not in path)


def test_decay_is_off_unless_it_is_switched_on(room) -> None:
    room.write("memory/2020-01-01.md", "- the quince harvest was good\n")
    room.write(DAY, "- the quince was sour\n")
    assert paths(room, "quince harvest", min_score=0.0) == ["memory/2020-01-01.md", DAY]


def test_an_old_note_that_is_the_only_match_is_found_all_the_same(room) -> None:
    """Mutant: comparing the decayed score with the least one: nothing is found."""
    room.write("memory/2020-01-01.md", "- the quince harvest was good\n")
    settings(room, temporal_decay_enabled=True)
    (hit,) = found(room, "quince harvest").results
    assert hit.score > 0.35


def test_the_order_is_the_same_every_time(room) -> None:
    for number in range(10, 28):
        room.write(f"memory/2026-02-{number}.md", "- quince jam\n")
    assert snippets(room, "quince") == snippets(room, "quince")
    assert paths(room, "quince", most=3) == [f"memory/2026-02-{n}.md" for n in (27, 26, 25)]


def test_a_file_that_changes_between_looking_and_reading_is_looked_at_again(room, monkeypatch) -> None:
    """Mutant: showing the lines without comparing the file with what was indexed."""
    room.write(DAY, "- quince jam\n")
    once = []
    real = search_module.answer

    def slow(*arguments):
        if not once:
            once.append(room.write(DAY, "- something else\n- quince jam\n"))
        return real(*arguments)

    monkeypatch.setattr(search_module, "answer", slow)
    (hit,) = found(room, "quince", most=1).results
    assert (hit.first, hit.snippet) == (2, "- quince jam")


def test_what_was_wrong_is_marked_wherever_it_stands(room) -> None:
    """Mutant: only entries that are linked are marked."""
    room.write(DAY, "- Talked long: The office is in Berlin.\n- The office cat is called Tom.\n")
    correct(room, LEDGER.format(status="applied"))

    first, *rest = found(room, "Where is the office? Berlin?").results

    assert first.entries == ("x:4f1c",)
    assert [(old.path, old.text) for old in first.instead_of] == [
        (DAY, "Talked long: The office is in Berlin.")
    ]
    assert "Berlin" not in "".join(hit.snippet for hit in rest)


def shown_lines(room, query: str, **wanted) -> list[tuple[str, int]]:
    results = found(room, query, **wanted).results
    return [(hit.path, line) for hit in results for line in range(hit.first, hit.last + 1)]


def a_month(room) -> None:
    for day in range(1, 19):
        text = (
            f"# 2026-03-{day:02}\n\n## Morning\n\n- Soup {day}.\n- Bread {day}.\n\n## Evening\n\n- Slept.\n"
        )
        room.write(f"memory/2026-03-{day:02}.md", text)
    room.write("memory/2026-02-20.md", "# 2026-02-20\n\n- Tea.\n")


@pytest.mark.parametrize(
    "query", ["what happened in March", "what happened last week", "what happened on March 5", "2026-03"]
)
def test_no_line_is_shown_twice_nor_a_heading_alone_where_days_are_asked_for(room, query: str) -> None:
    a_month(room)

    lines = shown_lines(room, query, most=20)

    assert len(lines) == len(set(lines))
    assert not [hit for hit in snippets(room, query, most=20) if not hit.splitlines()[-1].startswith("- ")]


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("what happened in March", [18, 15, 12, 9, 6, 3]),
        ("what happened last week", [15, 14, 13, 12, 11, 10]),
        ("上个月发生了什么", []),
    ],
)
def test_what_happened_is_told_of_days_far_apart(room, query: str, days: list[int]) -> None:
    a_month(room)

    told = paths(room, query, most=6)

    assert told == ([f"memory/2026-03-{day:02}.md" for day in days] or ["memory/2026-02-20.md"])


def test_all_days_of_a_long_time_are_looked_at(room) -> None:
    """Mutant: only the lines of the last days are."""
    for month in range(1, 13):
        lines = "".join(f"- Thing {month} {number}.\n" for number in range(40))
        room.write(f"memory/2025-{month:02}-07.md", lines)

    assert len(paths(room, "what happened last year", most=12)) == 12


def test_what_is_asked_for_beside_the_days_decides_the_order(room) -> None:
    a_month(room)
    room.write("memory/2026-03-04.md", "- The router broke.\n")

    assert paths(room, "what happened in March with the router", most=3)[0] == "memory/2026-03-04.md"


def test_a_heading_that_holds_what_is_asked_for_is_shown_alone(room) -> None:
    room.write(DAY, "# Day\n\n## Quince harvest\n\n## Lunch\n\nSoup.\n")
    assert snippets(room, "quince harvest")[0] == "## Quince harvest"


def test_what_was_corrected_is_not_shown_below_a_heading(room) -> None:
    """Mutant: what stands below a heading is shown as it stands."""
    room.write("MEMORY.md", "# Memory\n\n## Headquarters\n\n- The office is in Berlin. <!-- m:aa11bb -->\n")
    correct(room, LEDGER.format(status="open"))
    assert not [hit for hit in snippets(room, "headquarters") if "- The office is in Berlin" in hit]


@pytest.mark.parametrize("query", ["when is my flight", "my flight"])
def test_a_correction_stands_before_an_older_line_whatever_its_rank_is(room, query: str) -> None:
    """Mutant: the order of the ranking alone decides, and the line has a date, and fewer words."""
    room.write(DAY, "- 2026-03-18: My flight is on the 10th.\n")
    right = LEDGER.format(status="logged").replace("m:aa11bb", "").replace("The office is in Berlin.", "")
    correct(
        room, right.replace("The office is in Hamburg.", "Remember for good that my flight is on the 12th")
    )

    hits = found(room, query).results

    assert [hit.path for hit in hits] == ["CORRECTIONS.md", DAY]
    assert hits[0].score > hits[1].score


def test_hits_are_listed_by_the_score_that_is_shown(room) -> None:
    for number in range(1, 19):
        words = " ".join(
            word for at, word in enumerate(("quince", "harvest", "jam", "cellar")) if number >> at & 1
        )
        room.write(f"memory/2026-02-{number:02}.md", f"# {words}\n\n- jam {words}\n- {words} of the cellar\n")
    scores = [
        hit.score for hit in found(room, "where is the quince harvest jam", most=20, min_score=0.0).results
    ]
    assert scores == sorted(scores, reverse=True)


def test_a_file_that_cannot_be_read_is_named(room) -> None:
    """Mutant: the answer looks as if all was searched."""
    room.write(DAY, "- quince\n")
    settings(room, max_file_bytes=2000)
    for number in range(1, 6):
        room.write(f"memory/large-{number}.md", "- quince jam\n" * 1000)

    answer = found(room, "quince")

    assert [hit.path for hit in answer.results] == [DAY]
    (note,) = answer.notes
    assert note.endswith("memory/large-1.md, memory/large-2.md, memory/large-3.md and 2 more.")


@pytest.mark.parametrize(
    "limits", [{}, {"tier": "T2"}, {"path": "memory/"}], ids=["all", "notes", "a folder"]
)
def test_a_line_that_was_corrected_is_replaced_whatever_is_searched(room, limits) -> None:
    """Mutant: only corrections among what is searched replace anything."""
    room.write(DAY, "- Talked long: The office is in Berlin.\n")
    correct(room, LEDGER.format(status="applied").replace("m:aa11bb", ""))

    first, *rest = found(room, "Where is the office? Berlin?", limits=SearchLimits(**limits)).results

    assert (first.is_correction, [old.path for old in first.instead_of]) == (True, [DAY])
    assert rest == []


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Nora lives in Leipzig.", "where does Nora live"),
        ("Nora lives in Leipzig.", "live"),
        ("The cat has nine lives.", "life of a cat"),
        ("The maple loses its leaves.", "maple leaf"),
        ("The train leaves at noon.", "when does the train leave"),
        ("Emil is allergic to hazelnuts.", "hazelnut allergy"),
        ("The buses stop at the harbour.", "harbour bus"),
        ("Both shelves are full.", "full shelf"),
    ],
)
def test_a_form_of_two_words_is_found_by_either(room, line, question) -> None:
    room.write(DAY, f"# 2026-03-18\n\n- {line}\n")
    room.write(
        "memory/2026-03-01.md", "# 2026-03-01\n\n- Rain all day.\n- Nora drinks tea.\n- A cat slept.\n"
    )

    assert snippets(room, question)[0] == f"- {line}"


def test_what_memory_says_is_not_shown_again_from_a_copy_of_it(room) -> None:
    lines = "- The door code is in the blue box.\n"
    room.write("MEMORY.md", lines)
    room.write("notes/old/MEMORY-backup.md", lines + "\nThe door code was Ute's birthday.\n")

    results = search(room.history, Query("Where is the door code?"), room.now).results

    assert [result.path for result in results] == ["MEMORY.md", "notes/old/MEMORY-backup.md"]
    assert "blue box" not in results[1].snippet


TALK = """# Session: 2026-03-17 10:00

tool: {"pods": "CrashLoopBackOff", "crash": 4}
tool: pods CrashLoopBackOff crash of api-7
user: the crash of the pods was the config map
assistant: I look at the pods.
"""


def test_of_a_talk_no_line_that_a_program_printed_is_a_hit_and_his_beside_it_is(room) -> None:
    """Mutants: tool lines are hits; a hit that begins with one goes with all of its lines; what a person noted goes, too."""
    room.write("memory/2026-03-17-pods.md", TALK)
    room.write("memory/2026-03-16.md", "# 2026-03-16\n\n- ERROR: E05 of the printer means paper\n")

    hits = snippets(room, "pods CrashLoopBackOff crash")

    assert any("user: the crash of the pods was the config map" in hit for hit in hits)
    assert not any("tool:" in hit for hit in hits)
    assert "- ERROR: E05 of the printer means paper" in snippets(room, "printer E05")


ASKED = "user: the roses are pink\n\nuser: what is the number of the safe in the office?\n"


def test_his_own_question_is_no_answer_nor_is_what_he_said_before_it(room) -> None:
    """Mutants: a question is a hit like another; it counts for how well memory answers; the line before it holds its words."""
    room.write("memory/2026-03-17-talk.md", f"# Session: talk\n\n- messages: 2\n\n{ASKED}")
    room.write("notes/desk.md", "Der Tresor im Büro hat die Nummer 4711.\n")

    answer = found(room, "number of the safe in the office")

    assert (answer.results[0].snippet, answer.notes) == (
        "Der Tresor im Büro hat die Nummer 4711.",
        ("Also searched in other languages.",),
    )
    assert not any("roses" in each.snippet or "what is" in each.snippet for each in answer.results)


def test_the_answer_to_his_question_is_a_hit_by_its_words_and_a_question_alone_is_shown_as_no_sure_one(
    room,
) -> None:
    """Mutants: a question is beside nothing; it is no hit at all; it is a sure answer to itself."""
    room.write("memory/2026-03-17-talk.md", f"# Session: talk\n\n- messages: 2\n\n{ASKED}")
    alone = found(room, "number of the safe in the office")
    room.write(
        "memory/2026-03-17-talk.md",
        f"# Session: talk\n\n- messages: 3\n\n{ASKED}\nassistant: It opens with 4711.\n",
    )

    answer = found(room, "number of the safe in the office")

    assert "what is the number" in alone.results[0].snippet
    assert alone.confidence != "high"
    assert "4711" in answer.results[0].snippet


def test_a_weekday_finds_the_lines_that_say_it_beside_those_of_that_day(room) -> None:
    """Seen: "horário de sábado" on a Sunday found what was said the day before, and no opening hours."""
    room.write("MEMORY.md", "- Abrimos de segunda a sexta das 9h às 19h, sábado das 9h às 13h.\n")
    room.write("memory/2026-03-14.md", "- A renda sobe para 890 em Maio.\n- A Inês vai de férias.\n")

    assert "sábado" in snippets(room, "quando abrimos ao sábado?")[0]
    assert any("sábado" in hit for hit in snippets(room, "sábado"))
    assert any("renda" in hit for hit in snippets(room, "sábado"))
