"""A step taken back: what came after it stays, and what it brought goes wherever it stands by now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from clawgit.memory.undo.unit_steps import TextStep, without_step
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    import random


def taken_back(before: str, made: str, present: str, **more) -> str:
    woven = without_step(TextStep(before.encode(), made.encode(), **more), present.encode())
    assert woven.conflicts == ()
    return woven.data.decode()


def conflicts(before: str, made: str, present: str) -> list[tuple[int, bytes, bytes]]:
    found = without_step(TextStep(before.encode(), made.encode()), present.encode()).conflicts
    return [(each.line, b"".join(each.ours), b"".join(each.theirs)) for each in found]


TWO = "# M\n\n## A\n\n- a1 <!-- m:aa1 -->\n- a2 <!-- m:aa2 -->\n\n## B\n\n- b1 <!-- m:bb1 -->\n"
NEW = "- new words here <!-- m:new1 -->\n"


@pytest.mark.parametrize(
    ("before", "made", "present", "expected"),
    [
        pytest.param(
            TWO,
            TWO.replace("- a2", NEW + "- a2"),
            TWO + NEW,
            TWO,
            id="an entry that it added goes from the section to which it was moved",
        ),
        pytest.param(
            TWO.replace(" <!-- m:aa2 -->", ""),
            TWO.replace("- a2 <!-- m:aa2 -->", "- a2\n- without an id"),
            TWO.replace(" <!-- m:aa2 -->", "") + "- without an id\n",
            TWO.replace(" <!-- m:aa2 -->", ""),
            id="also without an id, by its words",
        ),
        pytest.param(
            TWO,
            TWO.replace("- a2", "- another"),
            TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- another <!-- m:aa2 -->\n",
            TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- a2 <!-- m:aa2 -->\n",
            id="an entry that it reworded gets its old words where it stands now",
        ),
        pytest.param(
            TWO,
            TWO.replace("- a2", "- another"),
            TWO.replace("- a2 <!-- m:aa2 -->\n", ""),
            TWO.replace("- a2 <!-- m:aa2 -->\n", ""),
            id="an entry that it reworded and that was removed since stays away",
        ),
        pytest.param(
            TWO,
            TWO.replace("- a2 <!-- m:aa2 -->\n", ""),
            "# M\n\n## B\n\n- b1 <!-- m:bb1 -->\n\n## A\n\n- a1 <!-- m:aa1 -->\n- later\n",
            "# M\n\n## B\n\n- b1 <!-- m:bb1 -->\n\n## A\n\n- a1 <!-- m:aa1 -->\n- a2 <!-- m:aa2 -->\n- later\n",
            id="an entry that it removed comes back below its neighbour, where that stands now",
        ),
        pytest.param(
            TWO,
            TWO.replace("- a2 <!-- m:aa2 -->\n", ""),
            TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- a2 <!-- m:aa2 -->\n",
            TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- a2 <!-- m:aa2 -->\n",
            id="an entry that somebody brought back already does not come twice",
        ),
        pytest.param(
            TWO,
            TWO.replace("\n## B\n\n- b1 <!-- m:bb1 -->\n", ""),
            "# M\n\n## Z\n\n- z\n\n## A\n\n- a1 <!-- m:aa1 -->\n- a2 <!-- m:aa2 -->\n- a3\n\n## C\n\n- c\n",
            "# M\n\n## Z\n\n- z\n\n## A\n\n- a1 <!-- m:aa1 -->\n- a2 <!-- m:aa2 -->\n- a3\n\n"
            "## B\n\n- b1 <!-- m:bb1 -->\n\n## C\n\n- c\n",
            id="a section that it removed comes back behind the section before",
        ),
        pytest.param(
            TWO,
            TWO + "\n## C\n\n- c1\n- c2\n",
            "# M\n\n## C\n\n- c1\n- c2\n\n" + TWO.removeprefix("# M\n\n"),
            TWO,
            id="a section that it added goes from where it was moved",
        ),
        pytest.param(
            TWO,
            TWO + "\n## C\n\n- c1\n",
            TWO + "\n## C\n\n- c1\n- by somebody else\n",
            TWO + "\n## C\n\n- by somebody else\n",
            id="a heading stays that later text needs",
        ),
        pytest.param(
            TWO,
            TWO.replace("## A", "## Z"),
            TWO.replace("## A", "## Z").replace("- a2", "- a2 again").replace("# M\n", "# M\n\nIntro.\n"),
            TWO.replace("- a2", "- a2 again").replace("# M\n", "# M\n\nIntro.\n"),
            id="a section that it renamed has its old name",
        ),
        pytest.param(
            TWO, TWO + NEW, (TWO + NEW + "- c\n").replace("\n", "\r\n"), (TWO + "- c\n").replace("\n", "\r\n"),
            id="the line ends changed since",
        ),
        pytest.param(
            "Be kind.\n", "Be kind.\n\nAsk first.\n", "Ask first.\n\nBe kind.\n", "Be kind.\n", id="a paragraph that was moved"
        ),
        pytest.param(
            "- a\n- b\n", "- A\n- x\n- b\n", "- A\n- between\n- x\n- b\n", "- a\n- between\n- b\n",
            id="an entry between two that it changed in one go",
        ),
        pytest.param(
            TWO, TWO.replace("- a2", "- A2"), TWO.replace("- a2", "- A2").replace("\n", "\r\n"), TWO.replace("\n", "\r\n"),
            id="the line ends of a reworded entry are those of now",
        ),
        pytest.param(
            TWO, TWO.replace("- a2 <!-- m:aa2 -->\n", ""),
            "# M\n\n## A\n\n- a3\n\n## B\n\n- a1 <!-- m:aa1 -->\n- b1 <!-- m:bb1 -->\n",
            "# M\n\n## A\n\n- a2 <!-- m:aa2 -->\n- a3\n\n## B\n\n- a1 <!-- m:aa1 -->\n- b1 <!-- m:bb1 -->\n",
            id="an entry comes back to its section, not to a neighbour that went elsewhere",
        ),
        pytest.param(
            TWO, TWO.replace("- a2 <!-- m:aa2 -->\n", ""), TWO.replace("- a2 <!-- m:aa2 -->\n", "- later\n"),
            TWO.replace("- a2 <!-- m:aa2 -->\n", "- a2 <!-- m:aa2 -->\n- later\n"),
            id="what was there first comes first",
        ),
        pytest.param(
            TWO, TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- a2 <!-- m:aa2 -->\n",
            TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- a2 <!-- m:aa2 -->\n- b2\n", TWO + "- b2\n",
            id="an entry that it moved is moved back",
        ),
        pytest.param(
            TWO, TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- a2 <!-- m:aa2 -->\n",
            TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "\n## C\n\n- a2 <!-- m:aa2 -->\n",
            TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "\n## C\n\n- a2 <!-- m:aa2 -->\n",
            id="an entry that it moved and that was moved again stays there",
        ),
        pytest.param(
            TWO, TWO + NEW, TWO + "- something else <!-- m:els1 -->\n", TWO + "- something else <!-- m:els1 -->\n",
            id="another entry stands in the place of one that it added",
        ),
        pytest.param("- a\n", "- a\n- x\n- x\n", "- x\n- a\n- x\n", "- a\n", id="twice the same words"),
        pytest.param(
            "- a\n", "- a\ntext\n# A\n", "# A\n- a\n", "# A\n- a\n", id="words that somebody brought back do not come twice"
        ),
        pytest.param("- a", "- b", "- b\n- c", "- a\n- c", id="no line end at the end"),
        pytest.param(
            "- one\n  two\n- x\n", "- ONE\n  two\n- x\n", "- ONE\n  TWO\n- x\n", "- one\n  TWO\n- x\n",
            id="another line of the same entry was changed since",
        ),
    ],
)  # fmt: skip
def test_as_if_it_had_not_happened(before: str, made: str, present: str, expected: str) -> None:
    """Mutants: a rule left out fails the case that is named after it.

    Left out were: a heading that is needed stays, an id that is back, the section of the neighbour, line ends, what
    was moved again, the older first, units where only lines conflict.
    """
    assert taken_back(before, made, present) == expected


@pytest.mark.parametrize(
    ("before", "made", "present", "expected"),
    [
        pytest.param(
            TWO, TWO.replace("- a2", "- A2"), TWO.replace("- a2", "- A2!"),
            [(6, b"- A2! <!-- m:aa2 -->\n", b"- a2 <!-- m:aa2 -->\n")], id="reworded again",
        ),
        pytest.param(
            TWO, TWO.replace("- a2", "- A2"), TWO.replace("- a2 <!-- m:aa2 -->\n", "") + "- A2! <!-- m:aa2 -->\n",
            [(10, b"- A2! <!-- m:aa2 -->\n", b"- a2 <!-- m:aa2 -->\n")], id="reworded again, in another section",
        ),
        pytest.param(
            TWO, TWO + NEW, TWO + NEW.replace("words", "other words"),
            [(11, b"- new other words here <!-- m:new1 -->\n", b"")], id="added, and reworded since",
        ),
        pytest.param(
            TWO, TWO + NEW, TWO + NEW + "  - hangs on it\n",
            [(12, b"  - hangs on it\n", b"")], id="added, and something was hung on it since",
        ),
        pytest.param(
            TWO, TWO.replace("- a2 <!-- m:aa2 -->\n", ""), "# M\n\n## B\n\n- b1 <!-- m:bb1 -->\n",
            [(6, b"", b"- a2 <!-- m:aa2 -->\n")], id="its section is gone",
        ),
        pytest.param("a\n", "b\n", "a\0c\n", [(1, b"(no text)", b"(no text)")], id="not a text"),
    ],
)  # fmt: skip
def test_what_was_changed_again_is_shown_with_both_readings(before, made, present, expected) -> None:
    """Mutants: an item goes although something hangs on it; bytes that are no text are merged by lines."""
    assert conflicts(before, made, present) == expected


def test_what_stands_in_another_file_by_now_does_not_come_back() -> None:
    made = TWO.replace("- a2 <!-- m:aa2 -->\n", "")

    assert taken_back(TWO, made, made + "- later\n", elsewhere=frozenset({"aa2"})) == made + "- later\n"


def test_an_entry_that_yields_stays_whole_with_what_the_change_wrote_below_it() -> None:
    """Mutant: without the exception the comment is a conflict."""
    made = TWO.replace("- a2 <!-- m:aa2 -->", "- a3 <!-- m:aa2 -->\n  <!-- was: a2 -->")
    present = made.replace("- a3", "- a3 at noon")

    assert conflicts(TWO, made, present) != []
    assert taken_back(TWO, made, present, yielding=frozenset({"aa2"})) == present


class Section(NamedTuple):
    """A section of a text in the random test; ``key`` stays when the title changes."""

    key: str
    title: str
    entries: tuple[tuple[str, str], ...]


WORDS = ["tea", "coffee", "review", "acme", "rest", "api", "plan", "deploy", "green", "blue"]


class Play:
    """A random text, a random change of it, and random later edits that leave alone what the change touched.

    ``near`` is what stands beside something that the change removed: an edit there could not say on which side
    of it it belongs.
    """

    def __init__(self, dice: random.Random, *, ids: bool) -> None:
        self.dice, self.ids, self.number = dice, ids, 0
        self.touched: set[str | None] = set()
        self.near: set[str | None] = set()
        self.renamed: set[str] = set()
        self.lacking: set[str] = set()

    def name(self, kind: str) -> str:
        self.number += 1
        return f"{kind}{self.number:04d}"

    def words(self) -> str:
        return " ".join(self.dice.choices(WORDS, k=4)) + f" {self.name('n')}"

    def reworded(self, words: str) -> str:
        if self.ids:
            return self.words()
        said = words.split()
        said[self.dice.randrange(4)] = self.dice.choice(WORDS) + "x"
        return " ".join(said)

    def section(self, most: int = 4) -> Section:
        entries = tuple((self.name("e"), self.words()) for _ in range(self.dice.randint(0, most)))
        return Section(self.name("s"), f"Topic {self.words()}", entries)

    def text(self) -> list[Section]:
        return [self.section() for _ in range(self.dice.randint(1, 4))]

    def render(self, text: list[Section]) -> bytes:
        parts = ["# Memory\n"]
        for section in text:
            parts.append(f"## {section.title}\n")
            lines = [
                f"- {words}" + (f" <!-- m:{key} -->" if self.ids else "") for key, words in section.entries
            ]
            parts += ["\n".join(lines) + "\n"] if lines else []
        return "\n".join(parts).encode()

    def change(self, text: list[Section]) -> list[tuple]:
        edits, self.before = [], text
        for _ in range(self.dice.randint(1, 3 if self.ids else 1)):
            edit = getattr(
                self, "change_" + self.dice.choice(["add", "remove", "reword", "open", "close", "rename"])
            )(text)
            edits += [edit] if edit else []
            text = played(text, [edit]) if edit else text
        return edits

    def change_add(self, text):
        section, key = self.dice.choice(text), self.name("e")
        self.touched.add(key)
        anchor = self.dice.choice([None, "end", *(each for each, _ in section.entries)])
        return ("put", key, self.words(), section.key, anchor)

    def change_remove(self, text):
        return self.pick(text, self.removal)

    def change_reword(self, text):
        def reword(section, at):
            key, words = section.entries[at]
            self.touched.add(key)
            return ("reword", key, self.reworded(words))

        return self.pick(text, reword)

    def change_open(self, text):
        section = self.section(3)
        self.touched |= {section.key, *(key for key, _ in section.entries)}
        return ("open", section, self.dice.choice([None, *(each.key for each in text)]))

    def change_close(self, text):
        fixed = self.touched | self.renamed
        free = [at for at, section in enumerate(text) if section.entries and section.key not in fixed]
        if len(text) < 2 or not free:
            return None
        at = self.dice.choice(free)
        self.touched |= {text[at].key, *(key for key, _ in text[at].entries)}
        for each in (text, self.before):
            self.near |= beside([section.key for section in each], text[at].key)
        return ("close", text[at].key)

    def change_rename(self, text):
        kept = [each for each in text if each.entries and not {key for key, _ in each.entries} & self.touched]
        free = [each for each in kept if each.key not in self.touched]
        if not free:
            return None
        section = self.dice.choice(free)
        self.renamed.add(section.key)
        self.near |= {key for key, _ in section.entries}
        return ("rename", section.key, f"Topic {self.words()}")

    def removal(self, section, at):
        key = section.entries[at][0]
        self.touched.add(key)
        self.lacking.add(section.key)
        for each in (section, *(was for was in self.before if was.key == section.key)):
            found = beside([one for one, _ in each.entries], key)
            self.near |= {f"begin {section.key}" if one is None else one for one in found}
        return ("take", key)

    def pick(self, text, act):
        free = [
            (section, at)
            for section in text
            for at, (key, _) in enumerate(section.entries)
            if key not in self.touched | self.near and section.key not in self.renamed
        ]
        return act(*self.dice.choice(free)) if free else None

    def later(self, text: list[Section], common: set[str]) -> list[tuple]:
        edits = []
        for _ in range(self.dice.randint(1, 4)):
            edit = getattr(
                self,
                "later_" + self.dice.choice(["add", "take", "reword", "move", "shift", "open", "rename"]),
            )(text, common)
            edits += [edit] if edit else []
            text = played(text, [edit]) if edit else text
        return edits

    def anchors(self, section, without=""):
        found = [None] if f"begin {section.key}" not in self.near else []
        return [
            "end",
            *found,
            *(key for key, _ in section.entries if key not in self.touched | self.near | {without}),
        ]

    def later_add(self, text, common):
        sections = [section for section in text if section.key in common]
        if not sections:
            return None
        section = self.dice.choice(sections)
        return ("put", self.name("e"), self.words(), section.key, self.dice.choice(self.anchors(section)))

    def later_take(self, text, common):
        del common
        return self.pick(text, lambda section, at: ("take", section.entries[at][0]))

    def later_reword(self, text, common):
        del common
        return self.pick(
            text,
            lambda section, at: ("reword", section.entries[at][0], self.reworded(section.entries[at][1])),
        )

    def later_move(self, text, common):
        """Move an entry, also one that the change touched, to a section that there was before."""
        movable = [(key, words) for section in text for key, words in section.entries if key not in self.near]
        sections = [section for section in text if section.key in common]
        if not movable or not sections:
            return None
        key, _ = self.dice.choice(movable)
        section = self.dice.choice(sections)
        return ("move", key, section.key, self.dice.choice(self.anchors(section, key)))

    def later_shift(self, text, common):
        """Move a section, also one that the change touched, to behind one that it did not."""
        movable = [section.key for section in text if section.key not in self.near]
        if not movable:
            return None
        key = self.dice.choice(movable)
        behind = self.behind(text, without=key)
        return ("shift", key, self.dice.choice(behind)) if behind else None

    def later_open(self, text, common):
        del common
        behind = self.behind(text)
        return ("open", self.section(2), self.dice.choice(behind)) if behind else None

    def later_rename(self, text, common):
        del common
        fixed = self.touched | self.near | self.renamed | self.lacking
        free = [section.key for section in text if section.key not in fixed]
        return ("rename", self.dice.choice(free), f"Topic {self.words()}") if free else None

    def behind(self, text, without=""):
        return [
            key
            for key in (None, *(each.key for each in text))
            if key not in self.touched | self.near | {without}
        ]


def beside(keys: list[str], key: str) -> set[str | None]:
    """Return what stands beside a key; None is the begin."""
    if key not in keys:
        return set()
    at = keys.index(key)
    return {keys[at - 1] if at else None, *keys[at + 1 : at + 2]}


def played(text: list[Section], edits: list[tuple]) -> list[Section]:
    """Return the text after the edits; what is about something that is not there does nothing."""
    for edit in edits:
        text = globals()["play_" + edit[0]](list(text), *edit[1:])
    return text


def play_put(text, key, words, section_key, anchor):
    for at, section in enumerate(text):
        keys = [each for each, _ in section.entries]
        if section.key == section_key and anchor in (None, "end", *keys):
            place = {None: 0, "end": len(keys)}.get(anchor, keys.index(anchor) + 1 if anchor in keys else 0)
            entries = (*section.entries[:place], (key, words), *section.entries[place:])
            text[at] = section._replace(entries=entries)
    return text


def play_take(text, key):
    return [each._replace(entries=tuple(pair for pair in each.entries if pair[0] != key)) for each in text]


def play_reword(text, key, words):
    return [
        each._replace(entries=tuple((one, words if one == key else said) for one, said in each.entries))
        for each in text
    ]


def play_move(text, key, section_key, anchor):
    words = next((words for section in text for one, words in section.entries if one == key), None)
    return text if words is None else play_put(play_take(text, key), key, words, section_key, anchor)


def play_open(text, section, behind):
    at = next((at + 1 for at, each in enumerate(text) if each.key == behind), 0)
    return [*text[:at], section, *text[at:]]


def play_close(text, key):
    return [section for section in text if section.key != key]


def play_rename(text, key, title):
    return [section._replace(title=title) if section.key == key else section for section in text]


def play_shift(text, key, behind):
    found = next((section for section in text if section.key == key), None)
    return text if found is None else play_open(play_close(text, key), found, behind)


@pytest.mark.rest
@settings(max_examples=250)
@given(st.randoms(use_true_random=False), st.booleans())
def test_later_edits_stay_as_if_the_change_had_not_happened(dice: random.Random, ids: bool) -> None:
    """Mutants: lines alone decide; a section's first entry comes back at its end; gaps are left where lines went."""
    play = Play(dice, ids=ids)
    before = play.text()
    made = played(before, play.change(before))
    edits = play.later(made, {section.key for section in before})
    present, expected = played(made, edits), played(before, edits)

    for name, text in (("before", before), ("made", made), ("present", present)):
        note(f"--- {name}\n{play.render(text).decode()}")

    woven = without_step(TextStep(play.render(before), play.render(made)), play.render(present))

    assert woven.conflicts == ()
    assert woven.data.decode() == play.render(expected).decode()


LINES = [
    *[
        "# A\n",
        "## B\n",
        "- a\n",
        "- b <!-- m:bb2 -->\n",
        "- b again <!-- m:bb2 -->\n",
        "  - c\n",
        "\n",
        "text\n",
    ],
    *[
        "```\n",
        "> quote\n",
        "1. one\n",
        "    code\n",
        "---\n",
        "- \n",
        "<!--\n",
        "-->\n",
        "- - deep\n",
        "- a\r\n",
        "end",
    ],
]
TEXTS = st.lists(st.sampled_from(LINES), max_size=9).map(lambda lines: "".join(lines).encode())


@pytest.mark.rest
@settings(max_examples=250)
@given(TEXTS, TEXTS, TEXTS)
def test_whatever_the_texts_nothing_later_is_lost_and_nothing_of_it_stays(before, made, present) -> None:
    """Mutant: without the last look at the result, words that the step brought stay where a code fence hides them."""
    woven = without_step(TextStep(before, made), present)

    assert without_step(TextStep(before, made), made).data == before
    if not woven.conflicts and present not in (before, made):
        later = said(present) - said(made)
        assert not (later - said(woven.data))
        assert {
            words for words in said(woven.data) - said(before) - later if not words.startswith(b"#")
        } == set()


def said(text: bytes) -> Counter[bytes]:
    lines = (line.replace(b"<!-- m:bb2 -->", b"").strip() for line in split_lines(text))
    return Counter(line for line in lines if line)
