"""A folder as an agent's user has it after nine months: 332 files and every kind of mess that made somebody stumble.

`python tests/tools/lived_folder.py FOLDER` writes it to look at.
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

LAST = date(2026, 11, 22)
NIGHTS = 272
PEOPLE = ("Nora", "Emil", "Tomasz", "Lucía", "Mei", "Jonas")
TOPICS = ("House", "Money", "Kiln", "Travel", "Health", "People", "Tools", "Garden")
COLOURS = ("red", "ochre", "teal", "black", "white", "plum", "sand", "moss", "rust", "blue", "gold")
OPENAI = "sk-proj-" + "Ab3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3"
AWS = "AKIA" + "J5XQ7RTL2MWN4PZK"

# Nine questions about one's own folder: the words asked, and the file and the words that answer.
QUESTIONS = (
    ("Wann läuft der Mietvertrag aus?", "notes/mietvertrag.md", "30. Juni 2028"),
    ("Wo liegt der Schlüssel?", "notes/schluessel.txt", "Hausmeister"),
    ("Welche Nummer hat der Tresor?", "notes/tresor.txt", "4711"),
    ("¿Cuándo vence el seguro del coche?", "notes/seguro.md", "14 de mayo"),
    ("合同什么时候到期", "notes/合同.md", "2028年3月"),
    ("which glaze did the workshop choose", "projects/kiln/plan.md", "celadon"),
    ("who is the contact at the gallery", "projects/gallery/contacts.markdown", "Ines Prado"),
    ("what did the dentist say", "notes/visit-2026-09-14.md", "night guard"),
    ("what is Nora allergic to", "MEMORY.md", "hazelnuts"),
)


def make_folder(root: Path) -> None:
    """Write the folder and its repository, which is dirty in every way that git knows."""
    root.mkdir(parents=True)
    _git(root, "init", "-q", "-b", "main")
    _memory(root)
    _days(root)
    _notes(root)
    _projects(root)
    _git(root, "add", "-A", "--", "plan.md", "TOOLS.md", "old.md", "shelf.md", "MEMORY.md")
    _git(root, "commit", "-q", "-m", "what there was")
    _dirt(root)
    _odd_files(root)


def count_files(root: Path) -> int:
    """Return how many files there are, links counted, git's own not."""
    count = 0
    for _, below, names in os.walk(root):
        if ".git" in below:
            below.remove(".git")
        count += len(names)
    return count


def _memory(root: Path) -> None:
    lines = ["# Memory", "", "- Nora is allergic to hazelnuts.", "- Nora: invoice 5590 due on 2 May"]
    lines += ["- Nora: invoice 6843 due on 11 June", ""]
    number = 0
    for topic in TOPICS:
        lines += [f"## {topic}", "", "| what | when |", "|---|---|", f"| {topic} review | 3 May |", ""]
        while number % 66 != 65:
            who = PEOPLE[number % len(PEOPLE)]
            lines.append(f"- {who} keeps item {number} for the {topic.lower()} on shelf {number % 17}.")
            if number % 22 == 0:
                lines.append(f"  - {who} painted it {COLOURS[number // 22 % len(COLOURS)]}")
            number += 1
        number += 1
        lines += ["", "```", f"ssh {topic.lower()}.example.org", "```", ""]
    _write(root, "MEMORY.md", "\n".join(lines) + "\n")


def _days(root: Path) -> None:
    for back in range(NIGHTS):
        day = LAST - timedelta(days=back)
        who = PEOPLE[back % len(PEOPLE)]
        text = (
            f"# {day}\n\n- {who} worked on batch {back} of the kiln.\n- The van needed {back % 40} litres.\n"
        )
        _write(root, f"memory/{day}.md", text)


def _notes(root: Path) -> None:
    _write(root, "notes/mietvertrag.md", "# Mietvertrag\n\nDer Mietvertrag läuft am 30. Juni 2028 aus.\n")
    _write(root, "notes/schluessel.txt", "Der Schlüssel liegt beim Hausmeister, Größe 4.\n", "latin-1")
    _write(root, "notes/tresor.txt", "Der Tresor im Büro hat die Nummer 4711.\n", "utf-16")
    _write(
        root, "notes/seguro.md", "# Coche\r\n\r\nEl seguro del coche vence el 14 de mayo.\r\n", "utf-8-sig"
    )
    _write(root, "notes/合同.md", "# 合同\n\n工作室的合同2028年3月到期。\n")
    _write(root, "notes/visit-2026-09-14.md", "# Dentist\n\nThe dentist said to wear the night guard.\n")
    _write(root, "notes/keys.md", f"# Keys\n\n- openai key: {OPENAI}\n- aws: {AWS}\n")
    for number in range(7):
        _write(root, f"notes/recipe-{number}.md", f"# Recipe {number}\n\nBake {number + 20} minutes.\n")


def _projects(root: Path) -> None:
    _write(root, "projects/kiln/plan.md", "# Kiln\n\nThe workshop chose the celadon glaze.\n")
    _write(root, "projects/gallery/contacts.markdown", "# Gallery\n\nContact at the gallery: Ines Prado.\n")
    for number in range(28):
        _write(
            root, f"projects/calendar/page-{number}.md", f"# Page {number}\n\nPicture of a bowl {number}.\n"
        )
    _write(root, "projects/site/index.md", "# Site\n")
    _git(root / "projects/site", "init", "-q")
    for name in ("plan.md", "TOOLS.md", "old.md", "shelf.md"):
        _write(root, name, f"# {name}\n\n- line one of {name}\n- line two of {name}\n")


def _dirt(root: Path) -> None:
    """Leave staged, further edited, renamed, deleted and stashed work behind."""
    (root / "shelf.md").write_text("# shelf.md\n\n- stashed\n")
    _git(root, "stash", "-q")
    _git(root, "mv", "plan.md", "roadmap.md")
    with (root / "TOOLS.md").open("a") as tools:
        tools.write("- staged line\n")
    _git(root, "add", "TOOLS.md")
    with (root / "TOOLS.md").open("a") as tools:
        tools.write("- unstaged line\n")
    (root / "old.md").unlink()
    with (root / "MEMORY.md").open("a") as memory:
        memory.write("- The calendar has 13 pages.\n")


def _odd_files(root: Path) -> None:
    (root / "pictures.bin").write_bytes(b"\0\xff" * (6 << 20))
    (root / "notes/link.md").symlink_to("mietvertrag.md")
    (root / "notes/gone.md").symlink_to("nowhere.md")
    (root / "notes/folder").symlink_to("../projects")
    (root / "latest.md").symlink_to(f"memory/{LAST}.md")
    os.link(root / "notes/recipe-0.md", root / "notes/recipe-hard.md")
    os.mkfifo(root / "notes/pipe.md")
    Path(os.fsdecode(os.fsencode(root) + b"/notes/caf\xe9.md")).write_text("Espresso\n")
    for name in ("people.json", "bowl.svg", "notes.org", "todo.csv"):
        _write(root, f"projects/{name}", "x\n")


def _write(root: Path, path: str, text: str, encoding: str = "utf-8") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(text.encode(encoding))


def _git(root: Path, *words: str) -> None:
    named = ("-c", "user.name=Nora", "-c", "user.email=nora@example.org")
    subprocess.run(["git", *named, *words], cwd=root, check=True, capture_output=True)


if __name__ == "__main__":
    make_folder(Path(sys.argv[1]))
    sys.stdout.write(f"{count_files(Path(sys.argv[1]))} files\n")
