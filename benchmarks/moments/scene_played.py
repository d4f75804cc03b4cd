"""A scene as it is lived through the command line: its files, its talk, the nights between, and a context at last."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from benchmarks.life.lived_life import BEGIN, DAYS, NIGHTLY, Life
from benchmarks.life.tables import script
from benchmarks.year.program_in_process import called

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.moments.table import Moment, Scene
    from benchmarks.year.program_in_process import Answer

SESSION = "agent:main:main"
CONFIG = """\
# CONFIG

```yaml
timezone: UTC
fsync: no
operator_ids: [op-1]
group_chats: ["telegram:picnic"]
{}
```
"""


@dataclass(slots=True)
class Played:
    """A workspace and what went wrong in it."""

    root: Path
    home: Path
    now: datetime
    failed: list[str] = field(default_factory=list)

    def command(self, *words: str, actor: str = "operator") -> Answer:
        """Run a command at the time that it is."""
        environment = {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", os.defpath),
            "CLAWGIT_WORKSPACE": str(self.root),
            "CLAWGIT_NOW": self.now.isoformat(),
            "CLAWGIT_REHEARSE": "1",
            "CLAWGIT_ACTOR": actor,
        }
        answer = called(words, environment)
        if answer.code:
            self.failed.append(f"{self.now:%m-%d %H:%M} {' '.join(words)}: {answer.err.strip()[:300]}")
        return answer

    def asked(self, moment: Moment) -> dict[str, Any]:
        """Return the context of a moment."""
        words = ["context", "--json"]
        for key in ("query", "session", "host", "part"):
            if value := getattr(moment, key):
                words += [f"--{key}", value]
        answer = self.command(*words)
        if answer.code:
            return {"text": "", "tokens": 0}
        data: dict[str, Any] = answer.data
        return data

    def play(self, event: tuple[str, ...]) -> None:
        """Let one thing happen: somebody speaks, a session ends, a night passes, a host writes or asks."""
        at, kind, *rest = event
        self.now = _time(at)
        match kind:
            case "user" | "agent" | "stranger" | "group":
                self._say(kind, rest[0])
            case "end":
                for conversation in ("op-1", "glazier", "picnic"):
                    self.command("session", "end", "--channel", "telegram", "--conversation", conversation)
            case "night":
                for clock, agent in NIGHTLY:
                    hour, minute = map(int, clock.split(":"))
                    self.now = self.now.replace(hour=hour, minute=minute)
                    self.command("run", agent)
            case "host":
                path = self.root / rest[0]
                path.write_text(path.read_text("utf-8") + rest[1], "utf-8")
                self.command("keep", actor="host")
            case "context":
                self.command("context", "--session", SESSION, "--query", rest[0], "--json")
            case _:
                raise ValueError(kind)

    def _say(self, kind: str, text: str) -> None:
        conversation, session, sender = {
            "user": ("op-1", SESSION, "op-1"),
            "agent": ("op-1", SESSION, "agent"),
            "stranger": ("glazier", "agent:main:telegram:direct:glazier", "glazier"),
            "group": ("picnic", "agent:main:telegram:group:picnic", "op-1"),
        }[kind]
        words = ["chat", "add", "--channel", "telegram", "--conversation", conversation]
        words += ["--session", session, "--sender", sender]
        if kind == "agent":
            words += ["--role", "assistant"]
        if kind == "group":
            words.append("--group")
        self.command(*words, text)
        if kind == "user":
            self.now += timedelta(seconds=1)
            self.command("run", "recall-validator")


def set_up(scene: Scene, moment: Moment, folder: Path) -> Played:
    """Make the workspace of a scene, and let a moment's talk happen in it."""
    begin = _time(scene.begin)
    played = Played(folder / "workspace", folder / "home", begin)
    for path in (played.root, played.home):
        path.mkdir(parents=True)
    (played.home / ".gitconfig").write_text("[user]\n\tname = Op\n\temail = op@example.org\n", "utf-8")
    files = {**scene.files, "CONFIG.md": CONFIG.format(moment.config)}
    for name, text in files.items():
        path = played.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    played.command("init", str(played.root), "--trust", "operator")
    for event in moment.talk:
        played.play(event)
    if moment.now:
        played.now = _time(moment.now)
    else:
        played.now += timedelta(days=1)
    return played


def live(scene: Scene, folder: Path, keep: Path | None) -> Played:
    """Live a life of ninety days, or find it where it is kept; all its moments are asked in the same workspace."""
    end = BEGIN + timedelta(days=DAYS, hours=12)
    place = (keep or folder) / scene.life
    if not place.exists():
        Life(script(scene.life), place).live()
    return Played(place / "workspace", place / "home", end)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text + "+00:00")
