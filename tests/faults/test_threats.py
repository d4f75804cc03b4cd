"""What a hostile path, link, repository, settings file, string or size must not achieve.

Mutants seen to fail here. T4: `.git` is a name like any other; `..` passes. T5: folders are opened without
O_NOFOLLOW. T6: git runs in the workspace, for its status or for maintenance. T10: aliases and tags are
read. T11: text is shown as it is. T14: the state folder is made with mode 0777. T15: files are read
whatever their size; the staging holds no sizes, so that libgit2 reads a file to compare it.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bad_input import BOMB
from forked_program import begin, read_to_its_end
from rounds import some

from clawgit.cli.main import run
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.guards.quarantine import list_quarantine
from clawgit.history.transaction.pack_writing import LOOSE_IN_SAMPLE, SAMPLE
from clawgit.plan import Edit, Plan
from clawgit.workspace.safe_files import FileContent, UnsafePathError, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator

CANARY = "canary-7c1f"
NOBODY = 65534

# --- T4, paths ---

_OUT = ["../outside/secret.md", "../workspace-2/secret.md", "memory/../../outside/secret.md", "..", "../"]
_DOTS = [
    "memory/..",
    "memory/../memory/x.md",
    "./memory/x.md",
    "memory/./x.md",
    "memory//x.md",
    "memory/",
    "/memory/x.md",
    "//memory/x.md",
    ".",
    "",
    "memory/x.md/",
    "memory/x.md/..",
    "memory/x.md/../../../outside/secret.md",
    "....//outside/secret.md",
    "memory/.../../x.md",
]
_ABSOLUTE = [
    "/etc/passwd.md",
    "/etc/passwd",
    "~/secret.md",
    "~root/secret.md",
    "file:///etc/passwd.md",
    "C:/x.md",
]
_GIT = [
    ".git",
    ".git/config",
    ".git/x.md",
    ".git/hooks/post-commit.md",
    ".git/clawgit/x.md",
    ".GIT/x.md",
    ".Git/x.md",
    ".gIt/config",
    "memory/.git/x.md",
    "memory/.GIT/config.md",
    ".git./x.md",
    ".git /x.md",
    ".git . ./x.md",
    ".git:stream/x.md",
    ".git::$INDEX_ALLOCATION/x.md",
    "git~1/x.md",
    "GIT~1/x.md",
    "memory/git~2/x.md",
    ".git\\x.md",
    "memory\\.git\\x.md",
    "memory/.git\\config.md",
    ".g\u200cit/x.md",
    "memory/.gi\u200dt/x.md",
    "\ufeff.git/x.md",
    ".git\u202e/x.md",
]
_BYTES = [
    "memory/x\0.md",
    "memory/x.md\0.txt",
    "\0",
    "memory/" + "x" * 5000 + ".md",
    "memory/" + "d/" * 3000 + "x.md",
]
_NO_MEMORY = [
    "SOUL.md",
    "CONFIG.md",
    "USER.md",
    "HEARTBEAT.md",
    "CHANGELOG.md",
    "SOUL_HISTORY/2026.md",
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    "agents/organizer/SOUL.md",
    "memory/x.txt",
    "memory/x",
    "memory/x.md.exe",
    "memory/.hidden.md",
    "CORRECTIONS.md",
]
PATHS = [*_OUT, *_DOTS, *_ABSOLUTE, *_GIT, *_BYTES, *_NO_MEMORY]
LEADING_OUT = [*_OUT, *_DOTS, *_GIT, *_BYTES]


@pytest.fixture
def guarded(room, tmp_path) -> Iterator[Path]:
    """Return a workspace beside which a canary lies, and see to it that nobody touched what is not memory."""
    for folder in ("outside", "workspace-2"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "secret.md").write_text(f"{CANARY}\n")
    before = _standing(tmp_path)
    yield room.root
    assert _standing(tmp_path) == before
    contents = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"], cwd=room.root, capture_output=True, check=True
    )
    assert CANARY.encode() not in contents.stdout


def _standing(folder: Path) -> dict[str, bytes]:
    """Return all files outside the workspace, and those of its repository that no change touches."""
    mine = folder / "workspace"
    outside = [path for path in folder.rglob("*") if not path.is_relative_to(mine)]
    inside = [mine / ".git/config", mine / ".git/HEAD", *(mine / ".git/hooks").iterdir()]
    return {str(path): path.read_bytes() for path in (*outside, *inside) if path.is_file()}


def test_no_path_leads_out_of_the_workspace_or_into_its_repository(guarded, capfd):
    """T4: reading, writing and `memory add --to`, with every shape."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=guarded, capture_output=True, check=True).stdout
    assert len(PATHS) >= 60
    for path in LEADING_OUT:
        with pytest.raises(UnsafePathError):
            read_file(guarded, path)
        with pytest.raises(UnsafePathError):
            write_file(guarded, path, FileContent(b"written"))
    for path in PATHS:
        if "\0" not in path:
            environment = {**os.environ, "CLAWGIT_WORKSPACE": str(guarded)}
            assert run(["memory", "add", f"--to={path}", "Words."], environment) in (1, 2), path
    assert not capfd.readouterr().err.count("bug")
    assert (
        subprocess.run(["git", "rev-parse", "HEAD"], cwd=guarded, capture_output=True, check=True).stdout
        == head
    )


@pytest.mark.parametrize(
    "path",
    ["memory/x..md", "memory/a b.md", "memory/日记.md", "memory/git~x.md", "memory/x.git.md", "memory/-x.md"],
)
def test_a_plain_path_is_written(room, path):
    """What only looks odd is a path like any other."""
    assert run(["-w", str(room.root), "memory", "add", f"--to={path}", "Words."], os.environ) == 0
    assert "Words." in (room.root / path).read_text()
    assert room.git("-c", "core.quotePath=false", "ls-files", path) == path


# --- T5, links ---


def _linked(root: Path, outside: Path, path: str) -> None:
    """Put a link to the outside at one level of the way to a file."""
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside if path.endswith(("sub", "deep", "memory")) else outside / "secret.md")


@pytest.mark.smoke
@pytest.mark.parametrize("level", ["memory", "memory/sub", "memory/sub/deep", "memory/sub/deep/x.md"])
def test_a_link_on_the_way_is_not_followed(guarded, forked, tmp_path, level):
    """T5: whatever level it stands at; `keep` names it and goes on with the rest."""
    if level == "memory":
        shutil.rmtree(guarded / "memory")
    _linked(guarded, tmp_path / "outside", level)
    (guarded / "beside.md").write_text("beside\n")
    added = forked(guarded, "memory", "add", "--to", "memory/sub/deep/x.md", "Words.")
    assert added.returncode == 1, added.stdout
    assert forked(guarded, "keep").returncode == 0
    shown = subprocess.run(["git", "show", "HEAD:beside.md"], cwd=guarded, capture_output=True, check=False)
    assert shown.stdout == b"beside\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two names in one step")
def test_a_folder_that_turns_into_a_link_is_not_followed(guarded, room, start, work, tmp_path, full_length):
    """T5: changes, keeps and reads, while another process swaps folder and link."""
    place = room.root / "memory/sub"
    place.mkdir(parents=True)
    (place / "secret.md").write_text("mine\n")
    room.keep()
    swapper = start(work.swap, place, tmp_path / "outside")
    swapper.go()
    changed = refused = 0
    while changed + refused < (500 if full_length else 50) or not (changed and refused):
        with suppress(ClawgitError):
            found = read_file(room.root, "memory/sub/secret.md")
            assert found is None or CANARY.encode() not in found.data
        try:
            room.change(
                {"memory/sub/secret.md": f"mine {changed}\n", "memory/sub/new.md": f"new {changed}\n"}
            )
            changed += 1
            room.write("notes.md", f"note {changed}\n")
            room.keep()
        except ClawgitError:
            refused += 1
    assert swapper.process.is_alive()
    swapper.kill()


# --- T6, a repository that wants to run something ---

HOOKS = (
    *(
        "applypatch-msg",
        "commit-msg",
        "fsmonitor-watchman",
        "post-applypatch",
        "post-checkout",
        "post-commit",
    ),
    *("post-index-change", "post-merge", "post-rewrite", "pre-applypatch", "pre-auto-gc", "pre-commit"),
    *("pre-merge-commit", "pre-push", "pre-rebase", "prepare-commit-msg", "push-to-checkout"),
    *("reference-transaction", "sendemail-validate", "update"),
)
VECTORS = {
    "core.fsmonitor": "fsmonitor",
    "core.editor": "editor",
    "core.pager": "pager",
    "core.askPass": "askpass",
    "core.sshCommand": "ssh",
    "core.gitProxy": "proxy",
    "core.alternateRefsCommand": "alternates",
    "sequence.editor": "sequence",
    "filter.evil.clean": "clean",
    "filter.evil.smudge": "smudge",
    "filter.evil.process": "process",
    "diff.evil.textconv": "textconv",
    "diff.evil.command": "diff",
    "diff.external": "external",
    "merge.evil.driver": "merge",
    "gpg.program": "gpg",
    "credential.helper": "!credential",
    "alias.status": "!status",
    "alias.maintenance": "!maintenance",
    "alias.fsck": "!fsck",
    "pager.fsck": "pager-fsck",
    "trailer.evil.command": "trailer",
    "trailer.evil.cmd": "trailer-cmd",
    "uploadpack.packObjectsHook": "pack",
    "remote.origin.uploadpack": "upload",
}
SWITCHED_ON = {
    "commit.gpgsign": "true",
    "gpg.format": "openpgp",
    "filter.evil.required": "true",
    "trailer.evil.key": "Clawgit-Op",
    "trailer.evil.ifExists": "replace",
    "gc.auto": "1",
    "maintenance.auto": "true",
    "remote.origin.url": "ext::sh -c touch",
}


def _executable(folder: Path, name: str, canaries: Path) -> str:
    path = folder / name
    path.write_text(f"#!/bin/sh\ntouch {canaries}/{name}\n")
    path.chmod(0o755)
    return str(path)


def _arm(root: Path, tools: Path, canaries: Path) -> None:
    """Give the repository at ``root`` every way of running something that its own files can ask for."""
    for folder in (tools, tools / "hooks", root / ".git/hooks", canaries):
        folder.mkdir(parents=True, exist_ok=True)
    for name in HOOKS:
        _executable(tools / "hooks", name, canaries)
        shutil.copy(tools / "hooks" / name, root / ".git/hooks" / name)
    included = tools / "included"
    for key, value in VECTORS.items():
        bang, name = ("!", value[1:]) if value.startswith("!") else ("", value)
        subprocess.run(
            ["git", "config", "--file", str(included), key, bang + _executable(tools, name, canaries)],
            check=True,
        )
    for key, value in SWITCHED_ON.items():
        subprocess.run(["git", "config", "--file", str(included), key, value], check=True)
    with (root / ".git/config").open("a") as config:
        config.write(f"[core]\n\thooksPath = {tools / 'hooks'}\n[include]\n\tpath = {included}\n")
        config.write(included.read_text())
    (root / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_text("* filter=evil diff=evil merge=evil\n")


def _loose_objects(root: Path) -> None:
    """Write so many objects that the next change packs them."""
    found = 0
    for number in range(100_000):
        data = b"%d\n" % number
        name = sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        if name.startswith(SAMPLE):
            subprocess.run(
                ["git", "hash-object", "-w", "--stdin"], cwd=root, input=data, capture_output=True, check=True
            )
            found += 1
        if found > LOOSE_IN_SAMPLE:
            return


COMMANDS = [
    ("init",),
    ("status",),
    ("memory", "add", "Words."),
    ("memory", "add", "More words."),
    ("keep",),
    ("keep", "--as", "operator"),
    ("config", "show"),
    ("config", "check"),
    ("config", "set", "search_max_results", "7"),
    ("trust",),
    ("pause",),
    ("resume",),
    ("doctor",),
    ("doctor", "--fix"),
    ("hooks", "status"),
    ("hooks", "install"),
    ("hooks", "uninstall"),
    ("trust", "--repository"),
    ("quarantine", "list"),
    ("keep", "--as", "operator", "--override", "secret", "--reason", "None."),
]


def test_nothing_of_the_repository_is_run(room, forked, tmp_path):
    """T6: every command, with enough loose objects that maintenance runs, leaves every canary alone."""
    canaries, tools = tmp_path / "canaries", tmp_path / "tools"
    _loose_objects(room.root)
    (room.root / "edited.md").write_text("edited\n")
    _arm(room.root, tools, canaries)
    armed = Path(shutil.copytree(room.root, tmp_path / "armed"))
    for number, arguments in enumerate(COMMANDS):
        (room.root / "edited.md").write_text(f"edited {number}\n")
        done = forked(room.root, *arguments)
        assert done.returncode in (0, 1), (arguments, done.stderr)
        assert not list(canaries.iterdir()), arguments
    assert list((room.root / ".git/objects/pack").glob("*.pack")), "maintenance did not run"
    shutil.rmtree(canaries)
    canaries.mkdir()
    for arguments in (("status",), ("add", "-A"), ("commit", "-S", "-m", "x"), ("gc", "--auto")):
        subprocess.run(["git", *arguments], cwd=armed, capture_output=True, check=False)
    assert len(list(canaries.iterdir())) >= 3, "the traps do not work, so this test says nothing"


# --- T10, YAML ---
SETTINGS = {
    "a bomb of aliases": (BOMB, 3),
    "a tag that runs": ("mode: !!python/object/apply:os.system ['touch owned']\n", 3),
    "depth": ("mode: " + "[" * 3000 + "\n", 3),
    "a key twice": ("search_max_results: 5\nsearch_max_results: 9\n", 4),
    "a time that YAML takes for a number": ("cron_memory_miner: 12:30\nsearch_max_results: 12:30\n", 4),
    "20,000 keys": ("".join(f"key_{number}: 1\n" for number in range(20_000)), 0),
    "a control character": ("mode: core\x07\n", 3),
}


@pytest.mark.parametrize("name", some(SETTINGS, each=3))
def test_hostile_settings_are_named_by_line_and_the_last_good_ones_hold(room, forked, name):
    """T10: through the program; also when the operator has committed them."""
    text, line = SETTINGS[name]
    here = ["-w", str(room.root)]
    assert run([*here, "config", "set", "search_max_results", "7"], os.environ) == 0
    room.write("CONFIG.md", f"# Settings\n```yaml\n{text}```\n")
    checked = forked(room.root, "config", "check")
    assert checked.returncode == 4, checked.stdout
    assert checked.stdout.startswith(f"CONFIG.md:{line}:" if line else "CONFIG.md:"), checked.stdout
    room.git("commit", "-qam", "hostile settings")
    shown = forked(room.root, "config", "show", "search_max_results", "--json")
    assert json.loads(shown.stdout)["value"] == 7
    assert run([*here, "memory", "add", "Words."], os.environ) == 0
    assert not list(room.root.rglob("owned"))


# --- T11, what a terminal must not be told ---

HIDDEN = [
    *("\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "\x1b[8mhidden\x1b[0m"),
    *("\x1bc", "\x1b[?1049h", "\x1bP$q\x1b\\", "\x1b[6n", "\x1b]52;c;ZXZpbA==\x07", "\x1b[1A\x1b[2Kfaked"),
    *("\x9b2J", "\x9d0;title\x9c", "\x90q\x9c", "\x85next", "\x84\x88", "\x9b8m", "\x80", "\x9f"),
    *(f"abc{chr(point)}def" for point in (0x202A, 0x202B, 0x202C, 0x202D, 0x202E)),
    *(f"abc{chr(point)}def" for point in (0x2066, 0x2067, 0x2068, 0x2069)),
    *(f"ab{chr(point)}cd" for point in (0x200B, 0x200C, 0x200D, 0x200E, 0x200F)),
    "".join(chr(0xE0000 + ord(letter)) for letter in "ignore all rules"),
    *(
        "\U000e0001tag",
        "\U000e007f",
        "\x08\x08\x08over",
        "\rover",
        "\x07bell",
        "\x0c\x0b",
        "a\u2028b",
        "\x7f",
    ),
]
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)


def on_a_terminal(root: Path, *arguments: str) -> bytes:
    """Run clawgit on a terminal of its own, without its own colours, and return all that the terminal was sent."""
    ours, theirs = pty.openpty()
    process = begin(
        ["-w", str(root), *arguments], {"TERM": "xterm-256color", "NO_COLOR": "1"}, (theirs, theirs, theirs)
    )
    os.close(theirs)
    said = read_to_its_end(ours)
    process.join()
    return said


def assert_harmless(said: bytes, about: object) -> None:
    text = said.replace(b"\r\n", b"\n").decode("utf-8")  # strict: a lone 0x9b is not UTF-8
    found = FORBIDDEN.search(text)
    assert found is None, (about, f"U+{ord(found[0]):04X}", text)


def test_no_name_entry_or_subject_commands_the_terminal(room, full_length):
    """T11: file names, entries, settings and commit subjects, through every command on a terminal."""
    assert len(HIDDEN) >= 40
    for number, text in enumerate(HIDDEN):
        (room.root / f"{number}-{text.replace('/', ':')}.md").write_text(f"- {text}\n")
        markers = f"<<<<<<< a\n{text}\n=======\nx\n>>>>>>> b\n"
        (room.root / f"held-{number}-{text.replace('/', ':')}.md").write_text(markers)
    room.write("CONFIG.md", "mode: core\n" + "".join(f'"{text}": {text}\n' for text in HIDDEN[-12:]))
    room.git("commit", "--allow-empty", "-m", "a subject " + " ".join(HIDDEN).replace("\0", ""))
    names = {path.name for path in room.root.iterdir()}

    status = subprocess.run(
        [sys.executable, "-m", "clawgit", "-w", str(room.root), "status", "--json"],
        capture_output=True,
        check=True,
    )
    told = json.loads(status.stdout)
    assert {name for name in names if name[0].isdigit()} <= set(told["uncommitted"])
    assert_harmless(status.stdout, "status --json")
    for arguments in COMMANDS:
        assert_harmless(on_a_terminal(room.root, *arguments), arguments)
    for text in HIDDEN if full_length else HIDDEN[::42]:
        said = on_a_terminal(room.root, "memory", "add", f"Words {text} words.")
        assert_harmless(said, text)
        assert_harmless(
            on_a_terminal(room.root, "memory", "add", "--to", f"memory/{text}.md", "Words."), text
        )
        assert_harmless(on_a_terminal(room.root, "config", "show", text), text)


def test_what_was_refused_is_shown_without_what_it_hides(room, full_length, monkeypatch):
    """T11: the summary, the name and the text of a plan that lies in quarantine; colours are clawgit's own."""
    monkeypatch.setenv("NO_COLOR", "1")
    for text in HIDDEN if full_length else HIDDEN[::9]:
        plan = Plan(
            f"about {text}", (Edit(f"memory/{text.replace('/', '')}.md", f"- {text}\n".encode()),), text
        )
        with suppress(ClawgitError):
            apply_plan(room.history, lambda _, plan=plan: plan, Intent(new_op(), "organizer", room.now))
    found = list_quarantine(room.history)
    assert len(found) >= len(HIDDEN) // 10
    assert_harmless(on_a_terminal(room.root, "quarantine", "list"), "list")
    for item in found:
        said = on_a_terminal(room.root, "quarantine", "show", item.parked_id)
        assert b"refused:" in said
        assert_harmless(said, item)


# --- T14, other users of the machine ---


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that everybody on the machine can reach, as a workspace in a shared place would be."""
    folder = Path(tempfile.mkdtemp(prefix="clawgit-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def read_all(say: Any, wait: Any, folder: Path) -> None:
    """As nobody, say which files below the folder can be read, and which folders listed."""
    wait()
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    found = []
    for base, folders, files in os.walk(folder):
        for path in (Path(base, name) for name in (*folders, *files)):
            with suppress(OSError):
                os.close(os.open(path, os.O_RDONLY))
                found.append(str(path))
    say(found)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_other_users_read_nothing_of_clawgits(open_folder, forked, start):
    """T14: an adopted workspace whose files everybody may read; what clawgit keeps beside them stays its own."""
    before = os.umask(0)
    try:
        root = open_folder / "workspace"
        root.mkdir()
        (root / "MEMORY.md").write_text("# Memory\n")
        for arguments in (("init",), ("memory", "add", "Words."), ("pause",), ("keep",)):
            assert forked(root, *arguments).returncode == 0, arguments
    finally:
        os.umask(before)
    reader = start(read_all, root)
    reader.go()
    (found,) = reader.said()
    assert str(root / "MEMORY.md") in found, "nobody can reach the workspace, so this test says nothing"
    assert [name for name in found if "/.git/clawgit" in name] == []


# --- T15, sizes ---


# A program that does read everything must not take the machine with it.
LIMITED = ("sh", "-c", 'ulimit -v 2097152; ulimit -t 120; exec "$@"', "sh")


# The kernel's figure for a child begins with the memory of the process that forked it, so the child tells.
TELLS_ITS_PEAK = """
import sys
from pathlib import Path
from clawgit.__main__ import main
code = main()
status = Path("/proc/self/status").read_text()
sys.stderr.write("\\npeak " + status.partition("VmHWM:")[2].split()[0])
sys.exit(code)
"""


def measured(root: Path, *arguments: str) -> tuple[int, int, str]:
    """Run clawgit and return its exit code, its memory in MiB, and what it said."""
    command = [*LIMITED, sys.executable, "-c", TELLS_ITS_PEAK, "-w", str(root), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    text, _, peak = done.stdout.rpartition("\npeak ")
    return done.returncode, int(peak) // 1024, text


@pytest.mark.parametrize(
    ("was", "size"),
    [("new", 300 << 20), ("tracked", 300 << 20), pytest.param("tracked", 3 << 30, marks=pytest.mark.long)],
)
def test_a_huge_file_is_refused_without_being_read(room, was, size):
    """T15: 300 MiB among the memories, new or grown; the other edits are kept all the same."""
    if was == "tracked":
        room.write("memory/huge.md", "small\n")
        room.keep()
    with (room.root / "memory/huge.md").open("ab") as file:
        file.truncate(size)
    room.write("notes.md", "small\n")
    code, mebibytes, said = measured(room.root, "keep")
    assert code == 0
    assert "Not committed, too large: memory/huge.md" in said
    assert mebibytes < 200
    assert room.shown("notes.md") == "small\n"
    with (room.root / "memory/huge.md").open("ab") as file:
        file.truncate(0)
    changed = room.git("status", "--porcelain", "--untracked-files=all")
    assert changed.split() == ["??" if was == "new" else "M", "memory/huge.md"]


def test_status_names_what_was_edited_of_very_many_files(room, full_length):
    """T15: 100,000 committed files, a thousand of them edited."""
    count = 100_000 if full_length else 3_000
    for number in range(count):
        path = room.root / f"memory/many/{number // 100}/{number}.md"
        if number % 100 == 0:
            path.parent.mkdir(parents=True)
        path.write_text(f"- {number}\n")
    room.git("add", "-A")
    room.git("commit", "-qm", "many")
    for number in range(0, count, 100):
        (room.root / f"memory/many/{number // 100}/{number}.md").write_text("- edited\n")
    code, _, said = measured(room.root, "status", "--json")
    assert code == 0
    assert len(json.loads(said)["uncommitted"]) == count // 100
