"""What the page shows: the answers of commands, as JSON and as text that can do nothing."""

from __future__ import annotations

import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from clawgit.page import page_views
from clawgit.page.page_answers import KeptAnswers, PageAnswer, asked

VIEWS = ("/", "/pending", "/memory", "/soul", "/talk", "/prompt", "/machine")
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "javascript:alert(1)",
    "[click](javascript:alert(1)) ![x](http://evil.example/pixel.png)",
    "{{ 7*7 }} {% include 'frame.html' %} ${7*7}",
    "</textarea><form action=http://evil.example>",
    "</title><base href=http://evil.example/>",
    "&lt;b&gt; &amp; &#x3c;script&#x3e;",
    "http://evil.example/ <http://evil.example/>",
    "' onmouseover='alert(1)",
    "\u202egnirts\u202c and \u2066isolated\u2069 and \u200bnothing",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 right to left",
    "我们决定用周报代替每天的会议。",
    "저는 땅콩 알레르기가 있어요.",
    "data:text/html,<script>alert(1)</script>",
    "a" * 3000,
    "wide " * 400,
    "%3Cscript%3E %00 %0a",
    "<!-- m:aaaaaa --> <!-- comment",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<style>*{display:none}</style>",
    "<a href=//evil.example>x</a>",
    "<meta http-equiv=refresh content='0;url=http://evil.example'>",
    "\\u003cscript\\u003e",
    "`whoami` $(whoami) ; rm -rf ~",
    "--help",
    "../../../../etc/passwd",
    "👩‍👩‍👧‍👦 e\u0301 \ufeff",
    "x" * 200 + "\t" + "y" * 200,
)


class Tags(HTMLParser):
    """Which tags and addresses a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.addresses: set[str] = set()
        self.handlers: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        for name, value in attrs:
            if name in ("href", "src", "action", "srcdoc", "formaction"):
                self.addresses.add(value or "")
            if name.startswith("on") or name == "style":
                self.handlers.add(name)


@pytest.fixture
def hostile(room, clawgit, lived_once):
    """Let every file and message that somebody may write hold what they should not."""

    def life() -> None:
        lines = []
        for number, text in enumerate(HOSTILE):
            lines.append(f"- 2026-03-18: {text} <!-- m:aaaa{number:02d} -->".replace("\n", " "))
            clawgit("chat", "add", text.replace("\x00", " ") if not text.startswith("-") else f"x {text}")
        room.change({"MEMORY.md": "# Memory\n\n" + "\n".join(lines) + "\n"}, actor="operator")
        room.change(
            {"SOUL.md": "# Soul\n\n" + "\n".join(f"- {text}" for text in HOSTILE) + "\n"}, actor="operator"
        )
        clawgit("context", "--query", HOSTILE[0])

    return lived_once("hostile", life)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", [*VIEWS, "/e/m:aaaa00", "/e/m:aaaa16", "/undo/HEAD", "/memory?q=<script>"])
def test_nothing_that_memory_holds_becomes_html(hostile, visitor, path: str) -> None:
    shown = visitor.ask(path.replace("<", "%3C").replace(">", "%3E"))
    assert shown.status == 200
    tags = Tags()
    tags.feed(shown.text)
    assert not tags.names & {"img", "iframe", "base", "object", "embed", "style"}
    assert shown.text.count("<script") == 1
    assert tags.handlers == set()
    for address in tags.addresses:
        assert re.match(r"/|#main$", address), address
        assert not address.startswith("//")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00-\x08]", shown.text)
    assert len(shown.body) < 120_000
    if path in ("/memory", "/soul", "/talk"):
        assert "alert(1)" in shown.text


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/today.json", ("log",)),
        ("/pending.json", ("pending",)),
        ("/pending.json?kind=question", ("pending", "--kind", "question")),
        ("/memory.json", ("memory", "list")),
        ("/memory.json?trust=operator", ("memory", "list", "--trust", "operator")),
        ("/memory.json?q=rent", ("memory", "search", "rent")),
        ("/memory.json?as-of=2026-03-19", ("memory", "show", "--as-of", "2026-03-19")),
        ("/soul.json", ("soul", "log")),
        ("/talk.json", ("chat", "log")),
        ("/prompt.json", ("receipts", "list")),
        ("/machine.json", ("runner", "status")),
    ],
)
def test_the_json_of_a_view_is_that_of_its_command(
    visitor, clawgit, path: str, words: tuple[str, ...]
) -> None:
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    clawgit("context", "--query", "rent")
    shown = visitor.ask(path)
    assert shown.headers["content-type"] == "application/json"
    assert shown.text == clawgit(*words, "--json").out


def test_the_json_of_one_thing_is_that_of_its_command(room, visitor, clawgit) -> None:
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    clawgit("context", "--query", "rent")
    (entry,) = clawgit("memory", "list", "--json").data
    (receipt,) = clawgit("receipts", "list", "--json").data
    message = entry["evidence"][0].partition(" ")[0]
    for path, words in {
        f"/e/{entry['id']}": ("why", entry["id"]),
        f"/talk/{message}": ("why", message),
        f"/undo/{entry['id']}": ("undo", entry["id"], "--dry-run"),
        f"/prompt/{receipt['receipt']}": ("receipts", "show", receipt["receipt"]),
        "/soul/HEAD~1..HEAD": ("soul", "diff", "HEAD~1", "HEAD"),
        "/machine/organizer": ("run", "organizer", "--dry-run"),
    }.items():
        assert visitor.ask(f"{path}.json").text == clawgit(*words, "--json").out, path


def test_every_view_leads_to_its_json_and_names_its_workspace(room, visitor, clawgit) -> None:
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    for path in (*VIEWS, "/memory?q=rent", "/undo/HEAD", f"/@{room.root.name}/memory"):
        shown = visitor.ask(path)
        (link,) = re.findall(r'href="([^"]*)">JSON</a>', shown.text)
        assert visitor.ask(link).headers["content-type"] == "application/json", path
        assert ('href="/@' in shown.text) == path.startswith("/@"), path


def test_a_question_shows_what_would_change_and_no_id(room, visitor, clawgit) -> None:
    room.change({"MEMORY.md": "- Ada drinks tea. <!-- m:cccccc -->\n"}, actor="operator")
    clawgit("correct", "m:cccccc", "Ada drinks coffee.", actor="host")
    shown = visitor.ask("/pending").text
    assert "Ada drinks <del>tea</del><ins>coffee</ins>." in shown
    assert "Shall m:cccccc" not in shown
    assert '<textarea name="words" required>Ada drinks coffee.</textarea>' in shown


def test_a_prompt_says_why_each_line_is_in_it(visitor, clawgit) -> None:
    clawgit("context", "--query", "rent")
    (receipt,) = clawgit("receipts", "list", "--json").data
    shown = visitor.ask(f"/prompt/{receipt['receipt']}").text
    why = shown.partition("Why each line is in it")[2].partition("Left out")[0]
    assert '<span class="k">SOUL.md:5</span> who your agent is' in why


def test_two_prompts_are_compared_line_by_line(visitor, clawgit) -> None:
    clawgit("remember", "The rent is due on the 1st.")
    clawgit("context", "--query", "tea")
    clawgit("remember", "The bins go out on Mondays.")
    clawgit("context", "--query", "tea")
    new, old = (each["receipt"] for each in clawgit("receipts", "list", "--json").data)
    shown = visitor.ask(f"/prompt/diff?a={old}&b={new}").text
    assert '<span class="p">+ - 2026-03-19: The bins go out on Mondays.</span>' in shown
    assert "The rent is due" not in shown


def test_a_rehearsal_is_shown_in_words(visitor, clawgit) -> None:
    clawgit("chat", "add", "We decided to send the invoices on the first of each month.")
    shown = visitor.ask("/machine/memory-miner").text
    assert "send the invoices on the first of each month" in shown
    assert "&#34;summary&#34;" not in shown


@pytest.mark.rest
def test_an_entry_is_shown_with_the_message_that_it_rests_on_and_with_its_undo(visitor, clawgit) -> None:
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    (entry,) = clawgit("memory", "list", "--json").data
    shown = visitor.ask(f"/e/{entry['id']}")
    assert "The rent is due on the 1st." in shown.text or "the rent is due on the 1st." in shown.text
    assert "Remember that the rent is due on the 1st." in shown.text
    assert f"clawgit undo {entry['id']}" in shown.text
    assert (
        json.loads(visitor.ask(f"/e/{entry['id']}.json").body) == clawgit("why", entry["id"], "--json").data
    )


@pytest.mark.rest
def test_a_search_of_the_memory_that_all_share_leaves_the_view_in_its_own_workspace(
    room, visitor, clawgit, tmp_path
) -> None:
    clawgit("init", str(tmp_path / "shared"))
    clawgit("workspaces", "add", "main", str(room.root))
    clawgit("workspaces", "add", "shared", str(tmp_path / "shared"), "--shared", "--orchestrator", "main")
    clawgit("memory", "add", "The parcels go to Porto.", "--shared")
    clawgit("memory", "add", "The wifi is called Harbour.", actor="host")
    shown = visitor.ask("/memory?q=parcels")
    assert "The parcels go to Porto." in shown.text
    assert "That the answer is among them: " in shown.text
    assert '<b>1<span class="unseen"> waiting</span></b>' in shown.text


def test_what_does_not_exist_is_said_in_a_sentence(visitor) -> None:
    for path in ("/e/m:zzzzzz", "/prompt/r:0000000000", "/@elsewhere/"):
        assert visitor.ask(path).status == 404


def test_an_empty_workspace_says_that_it_is_empty(visitor) -> None:
    assert "Nothing waits for you." in visitor.ask("/pending").text
    assert "Nothing is remembered yet." in visitor.ask("/memory").text
    assert "No message is kept here." in visitor.ask("/talk").text


@pytest.mark.rest
@pytest.mark.parametrize("path", VIEWS)
def test_a_view_of_a_long_memory_is_a_short_page(room, visitor, path: str) -> None:
    lines = [
        f"- 2026-03-18: The parcel {number} goes to Porto. <!-- m:b{number:05d} -->"
        for number in range(2_000)
    ]
    room.change({"MEMORY.md": "# Memory\n\n" + "\n".join(lines) + "\n"}, actor="operator")
    shown = visitor.ask(path)
    assert shown.status == 200
    assert len(shown.body) <= 60_000
    assert len(gzip.compress(shown.body)) <= 15_000


@pytest.mark.rest
def test_a_line_of_a_megabyte_and_one_with_nul_are_shown_in_a_short_page(room, visitor, clawgit) -> None:
    long = "The parcel goes to Porto. " * 40_000
    text = f"# Memory\n\n- {long}<!-- m:aaaaaa -->\n- The parcel\0goes. <!-- m:bbbbbb -->\n"
    room.change({"MEMORY.md": text, "SOUL.md": f"# Soul\n\n- {long}\n"}, actor="operator")
    clawgit("chat", "add", long[:50_000])
    for path in (*VIEWS, "/e/m:aaaaaa", "/e/m:bbbbbb", "/memory?q=parcel", "/undo/HEAD"):
        shown = visitor.ask(path)
        assert shown.status == 200, path
        assert len(shown.body) <= 60_000, path
        assert b"\0" not in shown.body, path


def test_a_nul_in_an_address_is_an_answer_and_no_crash(visitor) -> None:
    for path in ("/memory?q=%00", "/e/%00", "/?entry=%00", "/soul/%00", "/talk?since=%00"):
        assert visitor.ask(path).status in (200, 404), path


def test_a_long_list_goes_on_over_sheets(room, visitor) -> None:
    lines = [
        f"- 2026-03-18: The parcel {number} goes to Porto. <!-- m:b{number:05d} -->" for number in range(120)
    ]
    room.change({"MEMORY.md": "# Memory\n\n" + "\n".join(lines) + "\n"}, actor="operator")
    assert "parcel 119" not in visitor.ask("/memory").text
    assert "parcel 119" in visitor.ask("/memory?sheet=3").text
    assert "parcel 119" in visitor.ask("/memory?sheet=999").text


def test_the_changes_of_one_actor_go_on_as_theirs(room, visitor) -> None:
    """Seen: a page that was asked for one file went on with all files."""
    lines = [f"- The parcel {number} goes to Porto.\n" for number in range(120)]
    room.change({"memory/learned.md": "- The letter goes to Porto.\n"}, actor="operator")
    room.change({"MEMORY.md": "".join(lines)}, actor="host")

    first = visitor.ask("/?by=agent").text

    assert "parcel" in first
    assert "The letter" not in first
    (earlier,) = re.findall(r'href="([^"]+)">Earlier', first)
    assert "by=agent" in earlier


def brightness(colour: str) -> float:
    """Return the relative luminance of `#rgb` or `#rrggbb`."""
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(each * 2 for each in digits)
    total = 0.0
    for share, at in ((0.2126, 0), (0.7152, 2), (0.0722, 4)):
        value = int(digits[at : at + 2], 16) / 255
        total += share * (value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4)
    return total


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(scheme: str) -> None:
    style = (Path(page_views.__file__).parent / "page.css").read_text()
    blocks = re.findall(r":root\{([^}]*)\}", style)
    colours = dict(re.findall(r"--([\w-]+):(#[0-9a-f]{3,6})", blocks[scheme == "dark"]))
    texts = ("ink", "soft", "op", "host", "ext", "unk", "agent", "warn")
    pairs = [(text, behind) for text in texts for behind in ("paper", "card", "tint", "wait")]
    pairs += [("addi", "add"), ("deli", "del"), ("deli", "card"), ("on", "op")]
    faint = {}
    for text, behind in pairs:
        one, other = sorted((brightness(colours[text]), brightness(colours[behind])))
        contrast = (other + 0.05) / (one + 0.05)
        if contrast < 4.5:
            faint[f"{text} on {behind}"] = round(contrast, 2)
    assert faint == {}


def test_the_files_of_the_page_are_small() -> None:
    folder = Path(page_views.__file__).parent
    assert (folder / "page.css").stat().st_size <= 12 * 1024
    assert (folder / "page.js").stat().st_size <= 6 * 1024
    assert len((folder / "page.js").read_text().splitlines()) <= 150
    assert sum(len(path.read_text().splitlines()) for path in folder.glob("*.py")) <= 2000


def test_a_contradiction_is_no_change_of_words(visitor, clawgit) -> None:
    for port in ("8443", "9443"):
        text = f"The staging server listens on port {port}."
        clawgit("memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md")
    clawgit("run", "conflict-detector")
    today = visitor.ask("/").text
    assert '<span class="verb">conflict</span>' in today
    assert "<del>8443</del>" not in today
    assert "<del>9443</del>" not in today


def test_an_edit_of_the_soul_by_an_unknown_author_is_not_called_the_agents(visitor, room) -> None:
    """Seen: "Your agent last changed its soul" where no agent was."""
    for actor in ("unknown", "soul-keeper"):
        assert "changed its soul" not in visitor.ask("/").text
        room.change({"SOUL.md": f"- Be kind to {actor}.\n"}, actor=actor)
    assert "changed its soul" in visitor.ask("/").text


def test_what_takes_long_is_asked_again_once_something_changed(room, visitor, clawgit) -> None:
    assert "0 entries." in visitor.ask("/memory").text
    clawgit("memory", "add", "The parcels go to Porto.", "--tag", "knowledge", "--to", "MEMORY.md")
    assert "1 entry." in visitor.ask("/memory").text
    assert "The parcels go to Porto." in visitor.ask("/").text


def test_who_looks_at_the_same_soul_again_changes_no_record(room, visitor) -> None:
    for _ in range(2):
        visitor.ask("/soul")
    records = room.root / ".git" / "clawgit"
    before = {path.name: path.stat().st_mtime_ns for path in records.iterdir()}
    assert visitor.ask("/soul").status == 200
    assert {path.name: path.stat().st_mtime_ns for path in records.iterdir()} == before


def test_nothing_is_kept_where_it_cannot_be_seen_whether_something_changed(tmp_path) -> None:
    asks = []

    def answer(wish):
        asks.append(wish)
        return PageAnswer()

    keeping = KeptAnswers()
    for _ in range(2):
        keeping.answer(tmp_path, asked("memory.list"), answer)
    assert len(asks) == 2
    for folder in ("logs", "refs/heads"):
        (tmp_path / ".git" / folder).mkdir(parents=True)
    for _ in range(2):
        keeping.answer(tmp_path, asked("memory.list"), answer)
    assert len(asks) == 3
