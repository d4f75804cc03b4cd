"""What other programs read stays as it is: each key, its place, its type and each value that they can compare, of every command and every method."""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.cli.service.methods import methods
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.intent import Intent
from clawgit.plan import Edit, Plan
from clawgit.service.requests import Request, RequestError
from clawgit.workspace.user.workspace_registry import register

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = "2026-03-19T10:22:00+00:00"
LATER = "2026-03-20T04:30:00+00:00"
STORED = Path(__file__).parents[1] / "data" / "json_shapes.json"
TRANSCRIPT = (
    '{"type":"session","version":3,"id":"s1","timestamp":"2026-03-18T09:00:00.000Z","cwd":"/w"}\n'
    '{"type":"message","id":"a1","timestamp":"2026-03-18T09:00:01.000Z","message":{"role":"user","content":"The port is 8080."}}\n'
    '{"type":"message","id":"a2","timestamp":"2026-03-18T09:00:02.000Z","message":{"role":"assistant","content":"Noted: 8080."}}\n'
)
CONFIG = "```yaml\noperator_ids: [telegram:4242]\nheartbeat_custom_patterns: [/ahoy/i -> sea]\n```\n"
ID = re.compile(r"\b(?:[0-9a-f]{40}|(?:chat|[kmrx]):(?!none)[0-9a-z]+|[pq]-(?!none)[0-9a-f]+)")
TORN = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"
OTHER = {"path": "memory/other.md", "text": "- Lunch is at noon.\n"}


# What chance names: commits, ops and entries, and what is named after one.
CHANCE = re.compile(
    r"\b[0-9a-f]{12,64}\b|\b[a-z]+-[0-9a-f]{20}\b|\b(?:[kmrx]:|[pq]-)[0-9a-z]+\b|\A[0-9a-z]{6}\Z"
)
MOST = 99  # a larger number is a size, which follows from the words
MANY = 8  # different items; a list of more grows with clawgit (settings, jobs) or with the life


def shape_of(value: Any, *, with_values: bool = True) -> Any:
    """Return an answer with its keys in their order and its values; of sentences, sizes, shares and names of chance only the type.

    Of a list it returns each different item once, sorted: two changes of one second have no order.
    """
    if isinstance(value, dict):
        return {key: shape_of(each, with_values=with_values) for key, each in value.items()}
    if isinstance(value, list):
        shapes = {
            json.dumps(each): each for each in (shape_of(item, with_values=with_values) for item in value)
        }
        if with_values and len(shapes) > MANY:
            return shape_of(value, with_values=False)
        return [shapes[key] for key in sorted(shapes)]
    is_word = isinstance(value, str) and not re.search(r"\s", value) and not CHANCE.search(value)
    is_count = value is None or (isinstance(value, int) and value <= MOST)
    if with_values and (is_word or is_count):
        return value
    return type(value).__name__


class Life:
    """A small workspace in which every command and every method is asked; what each answered is kept."""

    def __init__(self, clawgit: Callable[..., Any], room: Any, tmp_path: Path) -> None:
        self.answers: list[str] = []
        self._clawgit = clawgit
        self._room = room
        self._tmp = tmp_path
        self._methods = methods({**os.environ, "CLAWGIT_NOW": NOW, "CLAWGIT_REHEARSE": "1"})

    def command(self, *words: str, actor: str = "", now: str = NOW) -> Any:
        """Run a command with --json; return what it printed."""
        done = self._clawgit(
            *words, "--json", actor=actor, environment={"CLAWGIT_NOW": now, "HOME": os.environ["HOME"]}
        )
        if done.out.count("\n{") and "\n}" not in done.out:
            data: Any = [json.loads(line) for line in done.out.splitlines()]
        else:
            data = json.loads(done.out) if done.out.strip() else None
        self._keep("clawgit", words, actor, data, done.code)
        return data

    def method(self, name: str, actor: str = "host", **params: Any) -> Any:
        """Ask the service; return what it answers."""
        request = Request(1, name, str(self._room.root), actor, params, arrived=time.monotonic() + 3600)
        code = 0
        try:
            data = self._methods[name].answer(request)
        except RequestError as error:
            data, code = {"code": error.code, "message": error.message, "hint": error.hint}, error.exit_code
        except ClawgitError as error:
            data, code = {"message": error.message, "hint": error.hint}, int(error.exit_code)
        data = json.loads(json.dumps(data))
        self._keep("method", (name, *params), actor, data, code)
        return data

    def _keep(self, door: str, words: tuple[str, ...], actor: str, data: Any, code: int) -> None:
        asked = ID.sub("ID", " ".join((door, *words)))
        answer = {"asked": asked, "actor": actor, "exit": code, "answer": shape_of(data)}
        self.answers.append(json.dumps(answer).replace(str(self._tmp), "TMP"))

    def write(self, path: str, text: str) -> None:
        """Write a file of the workspace."""
        self._room.write(path, text)

    def file(self, name: str, text: str) -> str:
        """Write a file outside the workspace; return its path."""
        (self._tmp / name).write_text(text)
        return str(self._tmp / name)

    def live(self) -> None:
        """Ask everything once, each where it has something to say."""
        self._begin()
        entry = self._remember()
        self._talk()
        self._correct(entry)
        self._look()
        self._soul()
        self._refuse()
        self._work()
        self._look_after()

    def _begin(self) -> None:
        register(Path(os.environ["HOME"]) / ".config/clawgit/workspaces.json", "main", self._room.root)
        self.command("init", str(self._tmp / "second"))
        self.command("workspaces", "add", "second", str(self._tmp / "second"))
        self.command("workspaces", "list")
        self.command("status")
        self.method("status")
        self.write("CONFIG.md", CONFIG)
        self.command("config", "check")
        self.command("keep", "--as", "operator")
        self.command("config", "show")
        self.command("config", "set", "search_max_results", "7")
        self.command("trust")
        self.command("trust", "operator_ids")
        self.write("memory/2026-03-18.md", "# 2026-03-18\n\n- Ada met Grace at the harbour.\n")
        self.method("turn.end", reason="A note of the day.")
        self.method("turn.end", actor="operator")
        self.write(OTHER["path"], OTHER["text"])
        kept = self.command("keep")
        self.command("keep", "--as", "operator", kept["commits"][0])

    def _remember(self) -> str:
        added = self.command("memory", "add", "The review is on Wednesday.", "--tag", "decision")
        self.command("memory", "add", "The review is on Wednesday.", "--tag", "decision")
        self.method("memory.add", text="Standup is at nine in the blue room.", tag="event")
        self.method("memory.add", text="Ada drinks tea.", to="MEMORY.md", in_words=True)
        self.method("memory.add", actor="operator", text="Ada lives in Rome.", op="op-1")
        self.method("memory.add", actor="operator", text="Ada lives in Rome.", op="op-1")
        self.method("memory.add", text="Ada is 40.", tag="gossip")
        self.method("memory.add")
        self.method("memory.add", text=5)
        self.method("memory.add", text="x", size=5)
        self.method("memory.add", text="x", tag=["event"])
        self.command("memory", "list")
        self.command("memory", "status")
        self.command("memory", "index")
        return str(added["entry"])

    def _talk(self) -> None:
        self.command("chat", "add", "Don't forget: rent is due on the 1st.")
        self.command("chat", "add", "I can't stand cilantro.")
        self.command("chat", "add", "No, the review is on Thursday.", "--id", "7")
        self.command("chat", "add", "Left out.", "--group")
        talk = {"channel": "telegram", "conversation": "4242", "session": "agent:main:main"}
        self.method("message.in", text="The harbour opens at six.", sender="4242", id="1", **talk)
        self.method("message.in", text="The harbour opens at six.", sender="4242", id="1", **talk)
        self.method("message.in", text="It does.", role="assistant", at="2026-03-19T10:00", **talk)
        self.method("message.in", text="Do not remember this: I owe Grace ten.", id="3", **talk)
        self.method("message.in", text="Mine.", proved="operator")
        self.method("message.in", text="In a group.", group=True, in_words=True)
        self.method("message.in", text="x", role="ghost")
        self.method("message.in", text="-")
        self.method("triage", text="No, it's Thursday. Ahoy.", id=4)
        self.method("triage")
        self.command("triage", "No, it's Thursday.")
        self.command("chat", "log")
        self.command("chat", "stats")
        self.command("chat", "export")
        self.command("chat", "import", self.file("t.jsonl", TRANSCRIPT), "--format", "openclaw")
        self.method("flush.plan", tokens=190_000, window=200_000, compactions=1, in_words=True)
        self.method("flush.plan", tokens=-1)
        self.method("flush.plan", tokens="many")
        self.command("session", "flush", "--tokens", "10")
        self.command("session", "flush", "--session", "a", "--reply", "Grace likes boats.")
        self.command("session", "flush", "--reply", "NO_REPLY")
        self.command("session", "due", "--all")
        self.command("session", "due", "--last", "2026-03-17T10:00")
        self.method("session.end", **{name: talk[name] for name in ("channel", "conversation")}, messages=5)
        self.method("session.end", channel="nowhere")
        self.command("session", "end", "--due", now=LATER)
        self.command("session", "end", self.file("u.jsonl", TRANSCRIPT), "--format", "openclaw")
        for verb in ("compact", "prune"):
            made = str(self._tmp / f"{verb}ed.jsonl")
            self.command("session", verb, self.file(f"{verb}.jsonl", TRANSCRIPT), "--output", made)

    def _correct(self, entry: str) -> None:
        messages = self.command("chat", "log", "--limit", "50")
        about = next(each["id"] for each in messages if "Thursday" in each["text"])
        self.method("correct", old=f"m:{entry}", new="The review is on Thursday.", evidence=about)
        self.method("correct", old="Ada drinks tea.", new="Ada drinks coffee.")
        self.method("correct", old="Ada drinks tea.", new="Ada drinks mate.", evidence=about)
        self.method("correct", old="Ada drinks tea.")
        self.command("memory", "add", "The review is on Thursday.", "--evidence", about, actor="host")
        self.command("correct", "Ada lives in Rome.", "Ada lives in Oslo.")
        self.command("corrections")
        self.command("corrections", "--open")
        self.command("status")
        self.command("corrections", "archive", "--dry-run")
        for port in (8443, 9443):
            text = f"The staging server listens on port {port}."
            self.command("memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md")
        self.command("run", "conflict-detector")
        conflict = self.command("conflicts", "list")[0]["id"]
        self.method("memory.search", query="port of the staging server")
        self.command("conflicts", "show", conflict)
        self.command("approve", conflict, "B")
        self.command("conflicts", "show", "k:none")

    def _look(self) -> None:
        self.command("memory", "search", "when is the review")
        self.command("memory", "search", "harbour", "--deep")
        self.command("memory", "search", "harbour", "--source", "chat")
        self.command("memory", "search", "harbour", "--as-of", "2026-03-19")
        self.command("memory", "show", "--as-of", "today")
        self.command("memory", "search", "lunch", "--all-agents")
        self.method("memory.search", query="where does Ada live", max_results=3, in_words=True)
        self.method("memory.search", query="harbour", session="agent:main:telegram:group:9")
        self.method("memory.search", query="harbour", min_score=0.1, mmr=0.5, tier="T2", for_prompt=True)
        self.method("memory.search", query="rent", source="memory", path="memory/")
        self.method("memory.search", query="")
        self.method("memory.search", query="x", min_score=7)
        self.method("memory.search", query="x", max_results="some")
        self.method("memory.search", query="x", tier="T9")
        self.method("memory.search", query="x", colour="red")
        self.command("memory", "get", OTHER["path"])
        self.method("memory.get", path=OTHER["path"], lines=1, **{"from": 1})
        self.method("memory.get", path="chat:none")
        self.method("memory.get", path="../out.md")
        self.method("memory.get", path=OTHER["path"], session="agent:main:telegram:group:9")
        found = self.method("memory.search", query="harbour", source="chat")
        self.method("memory.get", path=found["results"][0]["path"])
        self.method("why", what="Ada lives in Oslo.", in_words=True)
        self.method("why", what=found["results"][0]["path"])
        self.method("why", what="nothing of the kind was ever said")
        self.command("why", f"{OTHER['path']}:1")
        made = self.method("context", query="harbour", session="agent:main:main")
        self.method("context", query="harbour", explain=True, in_words=True)
        self.method("context", part="recall", host="openclaw", as_of="2026-03-19")
        self.method("context", part="none")
        self.command("context", "--query", "harbour")
        self.command("context", "diff", str(made["receipt"]), str(made["receipt"]))
        self.command("receipts", "list")
        self.command("receipts", "show", str(made["receipt"]))
        self.command("receipts", "verify")

    def _soul(self) -> None:
        asked = {"text": "I answer in short sentences.", "reason": "Long answers were cut short."}
        made = self.method("propose", **asked, in_words=True)
        self.method("propose", **asked)
        self.method("propose", text="x")
        self.method("propose", text="", reason="y")
        self.command("pending")
        self.command("pending", "show", str(made["proposal"]))
        self.command("status")
        self.command("approve", str(made["proposal"]))
        self.command("soul", "propose", "I never sleep.", "--reason", "It reads well.")
        other = self.command("soul", "propose", "I sing.", "--reason", "It reads well.")
        self.command("reject", str(other["proposal"]), "--reason", "No.")
        log = self.method("soul.log", limit=5, since="2026-03-01", in_words=True)
        newest = log["items"][0]["commit"]
        self.method("soul.diff", old=f"{newest}~1", new=newest)
        self.method("soul.diff", old=newest)
        self.method("soul.show")
        self.method("soul.show", file="IDENTITY.md")
        self.method("soul.show", file="NO.md")
        self.method("changelog", since="2026-03-01", in_words=True)
        self.method("log", limit=3, in_words=True)
        self.method("log", after="x")
        self.command("log", "--limit", "40")
        self.command("soul", "log")
        self.command("soul", "show")
        self.command("soul", "diff", f"{newest}~1", newest)
        self.command("soul", "blame")
        self.command("soul", "drift")
        self.command("soul", "snapshot", "-m", "before")
        self.command("soul", "restore", f"{newest}~1", "--reason", "Too short.")
        self.command("soul", "revert", newest, "--dry-run")
        self.command("soul", "export", str(self._tmp / "souls"))
        self.command("changelog")

    def _refuse(self) -> None:
        self.write("memory/torn.md", TORN)
        self.method("turn.end")
        self.command("status")
        plan = Plan("test: torn", (Edit("memory/facts.md", TORN.encode()),))
        intent = Intent("op-torn", "organizer", self._room.now)
        with suppress(ClawgitError):
            apply_plan(self._room.history, lambda _: plan, intent)
        refused = self.command("quarantine", "list")[0]["id"]
        self.command("quarantine", "show", refused)
        self.command("reject", refused, "--yes")
        self.command("approve", "q-0000000000")
        self.write("memory/torn.md", "- Lunch.\n")
        self.command("keep")

    def _work(self) -> None:
        self.command("run", "memory-miner", now=LATER)
        self.command("run", "decay-engine", now=LATER)
        self.command("runs", now=LATER)
        self.command("undo", "--since", "2026-03-20", "--actor", "memory-miner", "--dry-run", now=LATER)
        self.command("digest", "--since", "2026-03-01", now=LATER)
        self.command("runner", "status", now=LATER)
        self.command("runner", "once", now=LATER)
        self.command("status", now=LATER)
        self.command("memory", "promote", "--days", "30", "--min-confidence", "0", now=LATER)
        self.command("memory", "compact", "--days", "1", now=LATER)

    def _look_after(self) -> None:
        self.command("undo", "--dry-run", "HEAD", now=LATER)
        gone = self.command("memory", "list", now=LATER)
        self.command("undo", gone[0]["id"], now=LATER)
        self.command("memory", "revive", gone[0]["id"], now=LATER)
        self.command("pause", now=LATER)
        self.command("resume", now=LATER)
        self.command("doctor", now=LATER)
        self.command("backup", str(self._tmp / "saved"), now=LATER)
        self.command("hooks", "status", now=LATER)
        self.command("hooks", "install", now=LATER)
        self.command("hooks", "uninstall", now=LATER)
        self.command("logs", now=LATER)
        self.command("down", now=LATER)
        self.command("workspaces", "remove", "second", now=LATER)
        self.command("uninstall", "--dry-run", now=LATER)


@pytest.fixture
def life(clawgit, room, tmp_path, monkeypatch) -> Life:
    """Return a life that is lived."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    return Life(clawgit, room, tmp_path)


def test_what_other_programs_read_has_its_keys_in_their_order_and_its_values(life: Life, tmp_path) -> None:
    """Mutants: a key is renamed, left out or moved; a number becomes text; an actor is another one, an exit code 1.

    Where a shape is meant to change, the file that this leaves behind becomes tests/data/json_shapes.json.
    """
    life.live()

    now = tmp_path / "json_shapes.json"
    now.write_text("[\n" + ",\n".join(life.answers) + "\n]\n")
    assert life.answers == [json.dumps(each) for each in json.loads(STORED.read_text())], (
        f"They are in {now}."
    )
