"""Two people share a folder: what the merge of one of them brings, keeps and leaves out, and whom the other's screens name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clawgit.history.guards.check import check_commit

if TYPE_CHECKING:
    from conftest import Room

SHELF = "Item 80 is on shelf {}."
VAN = "The van is {}."
LINES = (
    "# MEMORY\n\n"
    f"- 2026-01-02: {SHELF.format(4)} <!-- m:aaaaaa -->\n"
    f"- 2026-01-02: {VAN.format('blue')} <!-- m:bbbbbb -->\n"
    "- 2026-01-02: The lease ends in March. <!-- m:cccccc -->\n"
)
LEDGER = "CORRECTIONS.md"


@pytest.fixture
def team(room: Room):
    """Let Anna and Ben work on from one state of memory, each on a branch."""
    room.write("MEMORY.md", LINES)
    room.git("add", "--all")
    room.git("commit", "--quiet", "--message", "the lines")
    return Team(room)


class Team:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.start = room.head()

    def is_at(self, name: str) -> None:
        """Make the clone that of one of them, on her or his branch."""
        for key, value in (("name", name), ("email", f"{name}@example.org")):
            self.room.git("config", f"user.{key}", value)
        if name not in self.room.git("branch", "--format", "%(refname:short)").split():
            self.room.git("branch", name, self.start)
        self.room.git("checkout", "--quiet", name)

    def begin_merge(self, memory: str, *, of: str = "Anna", by: str = "Ben") -> None:
        """Begin Ben's merge of Anna's branch with this memory and both ledgers."""
        self.is_at(by)
        self.room.git("merge", "--no-commit", "--no-ff", of, check=False)
        ours, theirs = (self.room.shown(LEDGER, ref) for ref in (by, of))
        self.room.write(LEDGER, ours + "\n" * ("## " in theirs) + theirs[theirs.find("## ") :])
        self.room.write("MEMORY.md", memory)

    def merge(self, memory: str, *trailers: str, of: str = "Anna", by: str = "Ben") -> str:
        """Commit that merge, and give it to both."""
        self.begin_merge(memory, of=of, by=by)
        self.commit(by, "\n\n".join(("merged", *trailers)))
        self.room.git("branch", "--force", of, by)
        return self.room.head()

    def commit(self, by: str, message: str) -> None:
        self.room.git("add", "--all")
        who = ("-c", f"user.name={by}", "-c", f"user.email={by}@example.org")
        self.room.git(*who, "commit", "--quiet", "--message", message)

    def rivals(self, clawgit) -> None:
        """Let each correct the shelf."""
        for name, shelf in (("Anna", 6), ("Ben", 9)):
            self.is_at(name)
            assert clawgit("correct", SHELF.format(4), SHELF.format(shelf)).code == 0


ELSE = "Clawgit-Actor: another"  # an author that nobody knows


@pytest.mark.parametrize("later", ["", "undo"], ids=["a new correction", "one that was withdrawn"])
def test_a_merge_by_nobody_known_is_not_blamed_for_what_one_side_has(clawgit, team, later) -> None:
    """Seen: "The correction x:… does not rest on your words" in all clones, after a merge without a conflict."""
    team.is_at("Anna")
    clawgit("correct", SHELF.format(4), SHELF.format(6))
    if later:
        team.start = team.room.head()
        clawgit(later, re.search(r"x:\w+", team.room.read(LEDGER))[0])
    memory = team.room.read("MEMORY.md")
    team.is_at("Ben")
    clawgit("correct", VAN.format("blue"), VAN.format("red"))
    corrected = team.room.read("MEMORY.md").splitlines(keepends=True)[-3:]

    team.room.git("merge", "--no-commit", "--no-ff", "Anna", check=False)
    theirs = team.room.shown(LEDGER, "Anna")
    ours = team.room.shown(LEDGER, "Ben")
    both = theirs + "\n" + ours[ours.rindex("## ") :]
    team.room.write(LEDGER, both)
    team.room.write("MEMORY.md", "".join([*memory.splitlines(keepends=True)[:-2], *corrected]))
    team.room.git("add", "--all")
    team.room.git("commit", "--quiet", "--message", f"merged\n\n{ELSE}")

    history = team.room.history
    rules = {each.rule for each in check_commit(history, history.objects.commit(team.room.head()))}
    assert rules == set()
    assert "! " not in clawgit("status").out
    assert clawgit("doctor").code == 0


def test_the_words_of_one_stay_beside_the_line_that_the_other_corrected(clawgit, team) -> None:
    """Seen: in no list, and in no prompt, of either clone. Mutant: another's later correction ends them, too."""
    team.is_at("Anna")
    clawgit("remember", "The kiln is at 900 degrees.")
    team.start = team.room.head()
    clawgit("chat", "add", "The kiln is at 950 degrees.")
    team.is_at("Ben")
    clawgit("correct", "The kiln is at 900 degrees.", "The kiln is at 990 degrees.")
    team.merge(team.room.read("MEMORY.md"))

    links = [each for each in clawgit("corrections", "--json").data if each["status"] == "linked"]

    beside = [("The kiln is at 950 degrees.", "The kiln is at 990 degrees.")]
    assert [(each["trigger"], each["said"]) for each in links] == beside
    assert '(Anna said on 19 March: "The kiln is at 950 degrees.")' in clawgit("context").out


@pytest.mark.rest
def test_what_such_a_merge_makes_up_is_told_until_he_claims_it(clawgit, team) -> None:
    """Seen: "Claimed as yours", and the `!` stayed."""
    team.is_at("Anna")
    clawgit("correct", SHELF.format(4), SHELF.format(6))
    ledger = team.room.read(LEDGER)
    team.is_at("Ben")
    clawgit("remember", "The kiln is hot.")
    team.room.git("merge", "--no-commit", "--no-ff", "Anna", check=False)
    made_up = ledger[ledger.index("## ") :].replace("shelf 6", "shelf 7")
    made_up = re.sub(r"x:\w+", "x:222222", made_up)
    team.room.write(LEDGER, f"{ledger}\n{made_up}")
    team.room.git("add", "--all")
    team.room.git("commit", "--quiet", "--message", f"merged\n\n{ELSE}")
    merge = team.room.head()

    assert "The correction x:222222 of CORRECTIONS.md does not rest on your words" in clawgit("status").out
    assert clawgit("keep", "--as", "operator", merge).code == 0

    assert "! " not in clawgit("status").out
    assert clawgit("doctor").code == 0


@pytest.mark.parametrize(("reader", "other"), [("Anna", "Ben"), ("Ben", "Anna")])
def test_of_two_who_differ_each_screen_names_the_other(clawgit, team, reader, other) -> None:
    """Seen: "You corrected it to Wednesday and to Tuesday", "you: by hand" twice, and no name in the search."""
    team.rivals(clawgit)
    team.merge(LINES)
    team.is_at(reader)
    said = {"Anna": SHELF.format(6), "Ben": SHELF.format(9)}

    pending = clawgit("pending").out
    assert f'"{said[reader]}" (you, x:' in pending
    assert f'"{said[other]}" ({other}, x:' in pending
    listed = clawgit("corrections").out
    assert re.search(rf"correct: {said[reader]}\n.*\n    you: by hand", listed)
    assert re.search(rf"correct: {said[other]}\n.*\n    {other}: by hand", listed)
    first = re.search(
        r"(you|Anna|Ben)  x:.*\n  > (.*)\n(?:.*\n)?.*:\d+( \(\w+\))?: ", clawgit("search", "item 80").out
    )
    shown_first = {"you": reader, other: other}[first[1]]
    assert first[2] == said[shown_first]
    assert (first[3] or "").strip(" ()") == ("" if shown_first == other else other)


@pytest.mark.rest
def test_who_took_a_word_back_is_named_where_it_was_not_the_reader(clawgit, team) -> None:
    """Seen: "(you took this back)" of what another person's merge had forgotten."""
    team.is_at("Anna")
    clawgit("chat", "add", "Remember: the lamp is green.")
    team.start = team.room.head()
    team.is_at("Ben")
    assert clawgit("forget", "the lamp is green", "--yes").code == 0
    assert "(you took this back)" in clawgit("search", "lamp green").out
    assert "forgotten: a line of MEMORY.md →" in clawgit("status").out
    team.room.git("branch", "--force", "Anna", "Ben")

    team.is_at("Anna")
    assert "(Ben took this back)" in clawgit("search", "lamp green").out
    assert "forgotten: a line of MEMORY.md (Ben) →" in clawgit("status").out


@pytest.mark.rest
@pytest.mark.parametrize("has_id", [True, False], ids=["an entry", "a line without an id"])
def test_whose_forgetting_a_merge_left_out_is_told_and_offered_no_undo_that_does_nothing(
    clawgit, team, has_id
) -> None:
    """Seen: "forgotten: a line of MEMORY.md", with an undo that changed nothing, twice. Mutant: told to the other one, too."""
    if not has_id:
        team.room.write("MEMORY.md", LINES.replace(" <!-- m:aaaaaa -->", ""))
        team.room.git("commit", "--quiet", "--all", "--message", "no id")
        team.start = team.room.head()
    team.is_at("Anna")
    assert clawgit("forget", SHELF.format(4), "--yes").code == 0
    forgotten = team.room.head()[:12]
    assert f"forgotten: a line of MEMORY.md → `clawgit undo {forgotten}`" in clawgit("status").out
    team.is_at("Ben")
    assert clawgit("correct", SHELF.format(4), SHELF.format(9)).code == 0
    memory = team.room.read("MEMORY.md")
    mark = re.search(r"shelf 9.*(m:\w+)", memory)[1]
    team.merge(memory)

    assert "left out by a merge" not in clawgit("status").out
    team.is_at("Anna")
    told = f'removing "{SHELF.format(9)}"'
    status = clawgit("status").out
    assert f"left out by a merge: {told}  (you) → to have it: `clawgit forget {mark}`" in status
    assert forgotten not in status
    assert (
        f"- {told} (left out by a merge) → `clawgit forget {mark}`"
        in clawgit("digest", "--since", "2026-03-01").out
    )
    assert f"left out    {told}" in clawgit("log").out

    assert clawgit("forget", mark, "--yes").code == 0
    assert "left out by a merge" not in clawgit("status").out


@pytest.mark.rest
def test_a_forgetting_of_typed_words_that_a_merge_left_out_is_told_until_he_says_otherwise(
    clawgit, team
) -> None:
    """Seen: "forgotten: a line of MEMORY.md" of a line without an id that a merge had brought back for all."""
    team.room.write("MEMORY.md", LINES + "- Weber pays 5 euro.\n")
    team.room.git("commit", "--quiet", "--all", "--message", "no id")
    team.start = team.room.head()
    team.is_at("Anna")
    assert clawgit("forget", "Weber pays 5 euro.", "--yes").code == 0
    team.is_at("Ben")
    assert clawgit("correct", SHELF.format(4), SHELF.format(9)).code == 0
    team.merge(team.room.read("MEMORY.md"))

    assert "left out by a merge" not in clawgit("status").out
    team.is_at("Anna")
    told = 'removing "Weber pays 5 euro."'
    status = clawgit("status").out
    assert f"left out by a merge: {told}  (you) → to have it: `clawgit forget 'Weber pays 5 euro.'`" in status
    assert "forgotten:" not in status
    assert clawgit("forget", "Weber pays 5 euro.", "--yes").code == 0
    assert "left out by a merge" not in clawgit("status").out


@pytest.mark.rest
def test_what_his_own_merge_dropped_of_his_is_told(clawgit, team) -> None:
    """Seen: after `git checkout --theirs MEMORY.md`, "learned: …" of an entry that no file had any more."""
    team.is_at("Anna")
    clawgit("correct", SHELF.format(4), SHELF.format(6))
    theirs = team.room.read("MEMORY.md")
    team.is_at("Ben")
    clawgit("remember", "Ben parks on the left.")
    assert "learned: Ben parks" in clawgit("status").out
    team.merge(theirs)

    status = clawgit("status").out
    assert "left out by a merge: Ben parks on the left.  (you) → to have it: `clawgit remember" in status
    assert "learned: Ben parks" not in status
    clawgit("remember", "Ben parks on the left.")
    assert "left out by a merge" not in clawgit("status").out


@pytest.mark.rest
@pytest.mark.parametrize("how", ["corrected again", "withdrawn"])
def test_one_left_out_stays_so_whatever_comes_later(clawgit, team, how) -> None:
    """Seen: "corrected: 4 → 6" in status and log, after 9 had won and was forgotten elsewhere."""
    team.rivals(clawgit)
    team.merge(LINES.replace("shelf 4", "shelf 9"))
    team.is_at("Anna")
    if how == "withdrawn":
        clawgit("forget", SHELF.format(9), "--yes")
    else:
        clawgit("correct", SHELF.format(9), SHELF.format(20))

    log = clawgit("log").out
    assert re.search(r"corrected .*\[-4-\]\{\+6\+\}", log) is None
    assert re.search(r"left out .*6", log)
    assert "4 → 6" not in clawgit("status").out
    assert "left out by a merge" not in clawgit("status").out  # she has spoken of the entry since
    team.room.git("branch", "--force", "Ben", "Anna")
    team.is_at("Ben")
    assert "4 → 6" not in clawgit("status").out


@pytest.mark.rest
def test_an_undo_of_one_of_two_equal_corrections_says_what_still_holds(clawgit, team) -> None:
    """Seen: "Undone", the file with the old value, and the other one's correction in every search."""
    for name in ("Anna", "Ben"):
        team.is_at(name)
        clawgit("correct", VAN.format("blue"), VAN.format("red"))
    team.merge(team.room.read("MEMORY.md"))
    listed = clawgit("corrections").out
    by = {who: re.search(rf"(x:\w+) (?:.*\n){{3}}    {who}: by hand", listed)[1] for who in ("Anna", "you")}

    said = clawgit("undo", by["you"])

    still = f"{by['Anna']} (Anna) says the same and stays in force, so searches show it; `clawgit undo {by['Anna']}` ends it."
    assert still in said.err
    assert "The van is red." in clawgit("search", "van").out.splitlines()[1]
    assert "stays in force" not in clawgit("undo", by["Anna"]).err


def test_a_line_of_his_own_talk_is_no_colleagues(clawgit, team) -> None:
    """Seen: "instead of, in memory/….md:8 (Anna): …" of his own words, once Anna had a commit. Mutant: a line without an id is any such line's."""
    team.is_at("Anna")
    team.room.write("MEMORY.md", LINES + "- The lamp is green.\n")
    team.commit("Anna", "lamp")
    team.start = team.room.head()
    team.is_at("Ben")
    clawgit("chat", "add", "Remember: my phone number is 555 1200.")
    clawgit("chat", "add", "--role", "assistant", "ok")
    clawgit("session", "end")
    clawgit("chat", "add", "No, my phone number is 555 1300, not 555 1200.")

    told = clawgit("search", "phone number", "--top", "1").out
    assert re.search(r"instead of, in memory/\S+:\d+: user: Remember", told)
    assert "Anna" not in told


@pytest.mark.parametrize(("reader", "her"), [("Anna", "you"), ("Ben", "Anna")])
@pytest.mark.parametrize("how", ["a yes", "a claim"])
def test_what_she_made_her_word_has_her_name_on_each_screen_of_his(clawgit, team, reader, her, how) -> None:
    """Seen: "you" in Ben's status, list, search and `why`, though he never said yes. Mutant: whose commit it is, not whose yes."""
    bread = "Nora prefers rye bread."
    if how == "a yes":
        clawgit("memory", "add", bread, environment={"CLAWGIT_ACTOR": "host"})
    else:
        team.room.write("MEMORY.md", f"{LINES}- 2026-01-02: {bread} <!-- m:dddddd -->\n")
        clawgit("keep", environment={"CLAWGIT_ACTOR": "unknown"})
    team.start = team.room.head()
    team.is_at("Anna")
    mark = re.search(rf"(m:\w+) .*{bread}", clawgit("memory", "list").out)[1]
    if how == "a yes":
        assert clawgit("approve", mark).code == 0
    else:
        assert clawgit("keep", "--as", "operator", team.start).code == 0
    team.room.git("branch", "--force", "Ben", "Anna")

    team.is_at(reader)
    assert f"learned: {bread}  ({her}, {mark})" in clawgit("status").out
    assert re.search(rf"{mark} .*%  {her} +2026.*{bread}", clawgit("memory", "list").out)
    assert re.search(rf"^\S+:\d+  {her}  {mark}", clawgit("search", "rye bread").out)
    assert f"  based on: {her}\n" in clawgit("why", mark).out
    assert f"{bread}  ({her}, {mark})" in clawgit("log").out


def test_her_words_and_takings_back_are_hers_in_his_clone(clawgit, team) -> None:
    """Seen: "taken back, as you said", "your words beside: 1 line" and "corrected … by you" of what Anna had said."""
    team.is_at("Anna")
    clawgit("correct", VAN.format("blue"), VAN.format("red"))
    clawgit("chat", "add", "Remember: the lamp is green.")
    clawgit("chat", "add", "take that back, the lamp")
    clawgit("chat", "add", "Item 80 isn't on shelf 4, I think.")
    team.room.git("branch", "--force", "Ben", "Anna")
    screens = ("status", "log", "pending", "corrections", "memory list")

    team.is_at("Ben")
    for words in (*screens, "why van"):
        told = clawgit(*words.split()).out
        assert re.search(r"\b[Yy]our? (?!clone)|\byou\b", told.replace("your agent", "")) is None, told
    assert re.search(r"correction x:\w+ of .* by Anna: applied", clawgit("why", "van").out)


def test_what_a_job_put_right_again_keeps_its_speaker(clawgit, team) -> None:
    """Seen: "brought back … (you)" in Ben's log, of Anna's corrected line that an agent had removed."""
    team.is_at("Anna")
    clawgit("correct", VAN.format("blue"), VAN.format("red"))
    team.room.write("MEMORY.md", "# MEMORY\n")
    clawgit("keep", environment={"CLAWGIT_ACTOR": "host"})
    assert "The van is red" in team.room.read("MEMORY.md")
    assert "corrections: put right" in team.room.git("log", "--format=%s")
    team.room.git("branch", "--force", "Ben", "Anna")

    team.is_at("Ben")
    rows = re.findall(r"brought back  .*", clawgit("log").out)
    assert rows
    assert all("(Anna" in row for row in rows)


def test_while_they_merge_no_side_is_in_the_place_of_the_other(clawgit, team) -> None:
    """Seen: "9 … instead of: Item 80 is on shelf 6.", which then won. Mutant: a line between markers has its id."""
    team.rivals(clawgit)
    sides = [f"- 2026-01-02: {SHELF.format(shelf)} <!-- m:aaaaaa -->" for shelf in (9, 6)]
    ours, theirs = sides
    both = f"<<<<<<< ours\n{ours}\n=======\n{theirs}\n>>>>>>> theirs"
    team.begin_merge(team.room.read("MEMORY.md").replace(ours, both))

    for query in ("item 80", "item 80 shelf 6"):
        told = clawgit("search", query)
        assert re.search(r"instead of.*shelf 6", told.out) is None
        assert re.search(r"^ +(?:> |- )*(?:2026-01-02: )?Item 80 is on shelf 6", told.out, re.MULTILINE)
        assert "In conflict, so both sides of a merge are shown" in told.err


def test_why_a_correction_is_not_in_force_is_said(clawgit, team) -> None:
    """Seen: "it does not rest on your word, or memory says others of yours" of one that a merge had left out."""
    team.rivals(clawgit)
    team.merge(LINES.replace("shelf 4", "shelf 9"))
    team.is_at("Anna")

    listed = clawgit("corrections").out
    assert re.search(
        r"applied, not in force: a merge left it out m:aaaaaa\n    correct: Item 80 is on shelf 6", listed
    )
    assert listed.count("not in force") == 1


@pytest.mark.parametrize(("reader", "doer"), [("Anna", "Ben"), ("Ben", "you")])
def test_a_colleagues_edit_that_sets_a_correction_back_is_told_with_his_name(
    clawgit, team, reader, doer
) -> None:
    """Seen: nothing in `status` and `corrections`, and searches said what no file did. Mutant: any edit of the operator's settles it."""
    team.is_at("Anna")
    clawgit("correct", VAN.format("blue"), VAN.format("red"))
    team.room.git("branch", "--force", "Ben", "Anna")
    team.is_at("Ben")
    team.room.write("MEMORY.md", team.room.read("MEMORY.md").replace("van is red", "van is blue"))
    team.commit("Ben", "blue again")
    undo = f"clawgit undo {team.room.head()[:12]}"
    team.room.git("branch", "--force", "Anna", "Ben")

    team.is_at(reader)
    status = clawgit("status").out
    assert f"against a correction: The van: red → blue  ({doer}) → `{undo}`" in status
    assert status.count("red → blue") == 1
    assert f", set back by {doer} (`{undo}`) m:bbbbbb" in clawgit("corrections").out.replace("  set", ", set")
    digest = clawgit("digest", "--since", "2026-03-01").out
    assert f"- The van: red → blue ({doer}, against a correction)" in digest
    assert clawgit(*undo.split()[1:]).code == 0
    assert "against a correction" not in clawgit("status").out
    assert "set back" not in clawgit("corrections").out


@pytest.mark.rest
def test_the_undo_of_a_line_leaves_the_rest_of_its_commit(clawgit, team) -> None:
    """Seen: beside one line, `clawgit undo COMMIT`, which took back all three edits of a colleague. Mutant: any line with the words is meant."""
    team.is_at("Anna")
    clawgit("correct", VAN.format("blue"), VAN.format("red"))
    team.room.git("branch", "--force", "Ben", "Anna")
    team.is_at("Ben")
    memory = team.room.read("MEMORY.md").replace("van is red", "van is blue").replace("in March", "in May")
    team.room.write("MEMORY.md", memory)
    team.commit("Ben", "two edits")
    team.room.git("branch", "--force", "Anna", "Ben")
    team.is_at("Anna")

    line = 1 + memory.splitlines().index("- 2026-01-02: The van is blue. <!-- m:bbbbbb -->")
    assert f"red → blue  (Ben) → `clawgit undo MEMORY.md:{line}`" in clawgit("status").out
    assert clawgit("undo", f"MEMORY.md:{line}").code == 0
    assert team.room.read("MEMORY.md") == memory.replace("blue. <!-- m:", "red. <!-- m:")


def test_who_corrected_it_may_type_the_old_words_again(clawgit, team) -> None:
    """Must not be told: his own edit against his own correction."""
    team.is_at("Anna")
    clawgit("correct", VAN.format("blue"), VAN.format("red"))
    team.room.write("MEMORY.md", team.room.read("MEMORY.md").replace("van is red", "van is blue"))
    team.commit("Anna", "blue again")

    assert "against a correction" not in clawgit("status").out
    assert "set back" not in clawgit("corrections").out


def test_a_yes_to_a_colleagues_agent_has_the_name_of_who_said_it(clawgit, team) -> None:
    """Seen: "Anna" behind the corrected line, who had said otherwise: the name of whose agent had asked."""
    team.is_at("Anna")
    clawgit("correct", "m:bbbbbb", VAN.format("red"), environment={"CLAWGIT_ACTOR": "host"})
    team.start = team.room.head()
    team.is_at("Ben")
    clawgit("approve", re.search(r"x:\w+", team.room.read(LEDGER))[0])

    for reader, him in (("Ben", "you"), ("Anna", "Ben")):
        team.room.git("branch", "--force", reader, "HEAD", check=False)
        team.is_at(reader)
        assert clawgit("search", "van").out.splitlines()[0].startswith(f"MEMORY.md:4  {him}  m:bbbbbb")


@pytest.mark.parametrize("how", ["an edit", "git revert"])
def test_a_colleague_who_takes_a_line_out_is_named_with_the_undo(clawgit, team, how) -> None:
    """Seen: "Nothing new", and a silent digest; or, after another's edit that was undone, the other's name."""
    team.is_at("Anna")
    clawgit("remember", "The cat is called Moss.")
    came = team.room.head()
    memory = team.room.read("MEMORY.md")
    team.room.write("MEMORY.md", LINES)
    clawgit("keep", environment={"CLAWGIT_ACTOR": "unknown"})
    clawgit("undo", team.room.head())
    assert team.room.read("MEMORY.md") == memory
    team.start = team.room.head()
    team.is_at("Ben")
    if how == "git revert":
        team.room.git("-c", "user.name=Ben", "-c", "user.email=Ben@example.org", "revert", "--no-edit", came)
    else:
        team.room.write("MEMORY.md", LINES)
        team.commit("Ben", "drop the cat")
    undo = f"undo {team.room.head()[:12]}"
    own = clawgit("status").out
    team.room.git("branch", "--force", "Anna", "Ben")

    team.is_at("Anna")
    verb = {"an edit": "removed", "git revert": "undone"}[how]
    assert f"  {verb}: The cat is called Moss.  (Ben) → `clawgit {undo}`\n" in clawgit("status").out
    assert f"- The cat is called Moss. (Ben) → {undo}\n" in clawgit("digest").out
    assert "removed: " not in own
    assert clawgit(*undo.split()).code == 0
    assert "Moss.  (Ben)" not in clawgit("status").out


def test_a_merge_that_left_one_correction_out_hides_no_other(clawgit, team) -> None:
    """Seen: not a word in `status` of the correction that had won."""
    team.rivals(clawgit)
    team.merge(LINES.replace("shelf 4", "shelf 6"))
    team.start = team.room.head()

    for reader, whose in (("Anna", "you"), ("Cleo", "Anna")):
        team.is_at(reader)
        assert f"corrected: Item 80 is on shelf: 4 → 6  ({whose}) " in clawgit("status").out


def test_a_line_that_one_approved_and_the_other_rejected_is_not_undone_where_it_stays(clawgit, team) -> None:
    """Seen: "undone: … (you)" of a line that searches found, and the agent's line twice, both as Ben's."""
    bread = "Nora prefers rye bread."
    team.is_at("Anna")
    clawgit("memory", "add", bread, environment={"CLAWGIT_ACTOR": "host"})
    mark = re.search(r"m:\w+", team.room.read("memory/learned.md"))[0]
    team.start = team.room.head()
    team.is_at("Ben")
    clawgit("approve", mark)
    memory = team.room.read("MEMORY.md")
    team.is_at("Anna")
    clawgit("reject", mark)
    team.merge(memory, of="Ben", by="Anna")

    status = clawgit("status").out
    assert "undone:" not in status
    assert status.count(bread) == 1
    assert f"learned: {bread}  (Ben, {mark})" in status
    assert f"remembered  {bread}  (your agent, {mark})" in clawgit("log").out
