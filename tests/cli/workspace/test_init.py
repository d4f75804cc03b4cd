from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from tempfile import TemporaryFile

import pytest
from forked_program import begin

from clawgit.cli.main import run
from clawgit.history.git.repository import open_history
from clawgit.history.review.unreviewed import unclaimed_commits


def test_init_makes_a_workspace_and_says_what_to_do_next(tmp_path, capfd) -> None:
    assert run(["init", str(tmp_path / "x")], {}) == 0

    out = capfd.readouterr().out
    assert "is a clawgit workspace now" in out
    assert "BOOTSTRAP.md" in out
    assert "git knows no user.name" in out
    assert "`git config --global user.email ADDRESS`" in out


def test_the_memory_folder_of_an_agent_is_no_workspace(tmp_path, capfd) -> None:
    (tmp_path / "agent/memory").mkdir(parents=True)
    (tmp_path / "agent/SOUL.md").write_text("Be kind.\n")

    assert run(["init", str(tmp_path / "agent/memory")], {}) == 1

    assert f"`clawgit init {tmp_path / 'agent'}`" in capfd.readouterr().err
    assert list((tmp_path / "agent/memory").iterdir()) == []


def lines_of_init(root, capfd) -> list[str]:
    assert run(["init", str(root)], {}) == 0
    return capfd.readouterr().out.splitlines()[:3]


def test_init_says_in_three_lines_what_it_did_and_what_that_means_for_the_host(tmp_path, capfd) -> None:
    made, host, read = lines_of_init(tmp_path / "x", capfd)

    assert made.endswith("is a clawgit workspace now (22 files created).")
    assert "`clawgit keep` commits its edits." in host
    assert "first conversation" not in host
    assert "for this account alone" in read


def test_they_tell_of_files_that_were_there_of_a_first_conversation_and_of_a_shared_folder(
    tmp_path, capfd
) -> None:
    for name in ("SOUL.md", "AGENTS.md", "BOOTSTRAP.md"):
        (tmp_path / name).write_text("# A fresh one\n")
    tmp_path.chmod(0o2770)

    made, host, read = lines_of_init(tmp_path, capfd)

    assert "3 committed as they are" in made
    assert "First-run setup ends when BOOTSTRAP.md is deleted" in host
    assert "Other accounts share the folder, so new files get the permissions of your umask" in read


def test_init_dry_run_changes_nothing(tmp_path, capfd) -> None:
    assert run(["init", str(tmp_path / "x"), "--dry-run"], {}) == 0

    assert "Nothing was changed." in capfd.readouterr().out
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("has_repository", [True, False])
def test_the_dry_run_says_what_the_run_does(tmp_path, capfd, has_repository: bool) -> None:
    """Mutants: edits of a repository are not named; a file is moved aside in silence; what a guard holds back is named by the run alone."""
    (tmp_path / "memory").mkdir()
    texts = {"MEMORY.md": "- One.\n", "CHANGELOG.md": "# Mine\n", "memory/2026-01-01.md": "- Old.\n"}
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    if has_repository:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        for words in (["init", "-q"], ["add", "MEMORY.md", "CHANGELOG.md"], [*who, "commit", "-qm", "one"]):
            subprocess.run(["git", *words], cwd=tmp_path, check=True)
        (tmp_path / "MEMORY.md").write_text("- One.\n- Two.\n")
    (tmp_path / "keys.md").write_text("key: " + "AKIA" + "J5XQ7RTL2MWN4PZK\n")
    for name in ("media", ".openclaw"):
        (tmp_path / name).mkdir()
    (tmp_path / "media/voice.md").write_text("A host's.\n")
    before = sorted(tmp_path.rglob("*"))

    assert run(["init", str(tmp_path), "--dry-run"], {}) == 0
    words = capfd.readouterr().out
    assert run(["init", str(tmp_path), "--dry-run", "--json"], {}) == 0
    told = json.loads(capfd.readouterr().out)
    assert sorted(tmp_path.rglob("*")) == before
    assert run(["init", str(tmp_path), "--json"], {}) == 0
    done = json.loads(capfd.readouterr().out)

    assert told["kept"]["paths"] == done["kept"]["paths"] != []
    assert {"MEMORY.md", "memory/2026-01-01.md", "Archive/Adopted/CHANGELOG.md"} <= {*done["kept"]["paths"]}
    assert [each["path"] for each in told["kept"]["held"]] == ["keys.md"]
    assert told["kept"]["held"] == done["kept"]["held"]
    assert (told["created"], told["moved"]) == (done["created"], done["moved"])
    assert "would commit      2 as they are: MEMORY.md and memory/2026-01-01.md\n" in words
    assert "would move        CHANGELOG.md to Archive/Adopted/" in words
    assert (
        "later             what is said becomes notes in memory/, committed when a session is over" in words
    )
    assert "memory/2026-01-01.md that `init` commits count" in words
    if has_repository:
        assert (
            "Whose words: what git had before counts as yours, but for mails; MEMORY.md and memory/2026-01-01.md that"
            in words
        )


def test_a_folder_of_the_users_is_never_left_out_of_git_and_what_is_left_out_is_named(
    clawgit, tmp_path
) -> None:
    """Mutants: a new file of a tracked folder is in no `git status`; the run or the dry run is silent."""
    room = tmp_path / "team"
    (room / "media").mkdir(parents=True)
    (room / "media/notes.md").write_text("- The logo is blue.\n")
    (room / "keys.md").write_text("key: " + "AKIA" + "J5XQ7RTL2MWN4PZK\n")
    (room / "TOOLS.md").write_text("# Tools\n\n- contraseña: Perro-Verde-77\n")
    (room / "edi.pem").write_text(
        f"-----BEGIN PRIVATE KEY-----\n{'MIIEvQIBADANBgkq' * 12}\n-----END PRIVATE KEY-----\n"
    )
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "one")):
        subprocess.run(["git", *words], cwd=room, check=True)
    before = (room / ".git/config").read_text(), (room / ".git/info/exclude").read_text()

    told = clawgit("init", str(room), "--dry-run").out
    folders = json.loads(clawgit("init", str(room), "--dry-run", "--json").out)["folders"]
    done = clawgit("init", str(room))

    named = "out of git by .git/info/exclude: /CHANGELOG.md /COMPACTION_LOG.md /SOUL_HISTORY/"
    for said in (told, done.out + done.err):
        assert named in said
        assert "set core.autocrlf to false in this repository: line ends stay as they are." in said.lower()
        assert "/media/" not in said
        assert "3 lines look like keys: keys.md:1, edi.pem:1, TOOLS.md:3." in said
    assert "Archive/Daily" in folders
    (room / "media/new.md").write_text("- The logo is green.\n")
    at = ("-w", str(room))
    assert "media/new.md" in clawgit(*at, "keep", "--json").out
    assert clawgit(*at, "uninstall", "--no-backup", "--yes").code == 0
    after = (room / ".git/config").read_text(), (room / ".git/info/exclude").read_text()
    assert after == before


def test_a_clone_of_a_workspace_becomes_one_and_is_told_so(clawgit, room, tmp_path) -> None:
    clone = tmp_path / "clone"
    room.git("clone", "-q", str(room.root), str(clone))

    first = clawgit("init", str(clone)).out
    again = clawgit("init", str(clone)).out

    assert f"{clone} is a clawgit workspace now" in first
    assert "`clawgit hooks install`" in first
    assert f"{clone} is a workspace already" in again
    assert "`clawgit hooks install`" not in again
    assert "hooks install" not in clawgit("init", str(tmp_path / "new")).out


def test_a_file_that_is_moved_aside_is_named_with_the_way_back(tmp_path, capfd) -> None:
    """Mutant: the run moves it without a word."""
    (tmp_path / "CHANGELOG.md").write_text("# Mine\n")
    (tmp_path / "MEMORY.md").write_text("- One.\n")
    assert run(["init", str(tmp_path)], {}) == 0
    (moved,) = [line for line in capfd.readouterr().out.splitlines() if line.startswith("Moved ")]
    assert moved.startswith(
        "Moved CHANGELOG.md to Archive/Adopted/, since clawgit writes its own under that name."
    )
    way = re.search(r"`(git mv \S+) NEW-NAME`", moved)
    assert way is not None
    subprocess.run([*way[1].split(), "HISTORY.md"], cwd=tmp_path, check=True)
    assert (tmp_path / "HISTORY.md").read_text() == "# Mine\n"


@pytest.fixture
def old_folder(tmp_path):
    """Return a folder in which an agent lived without git."""
    root = tmp_path / "old"
    (root / "memory").mkdir(parents=True)
    for path in ("SOUL.md", "MEMORY.md", "memory/2026-01-01.md"):
        (root / path).write_text("- Something.\n")
    return root


def actor_of(root, path: str) -> str:
    command = ["git", "log", "--format=%(trailers:key=Clawgit-Actor,valueonly,separator=)", "--", path]
    return subprocess.run(command, cwd=root, capture_output=True, check=True, text=True).stdout.strip()


def test_without_a_terminal_nothing_found_counts_as_the_operators(old_folder, capfd) -> None:
    assert run(["-w", str(old_folder), "init"], {}) == 0

    said = "".join(capfd.readouterr())
    assert {actor_of(old_folder, path) for path in ("SOUL.md", "MEMORY.md", "memory/2026-01-01.md")} == {
        "unknown"
    }
    assert (
        "MEMORY.md, SOUL.md and memory/2026-01-01.md that `init` commits count as an unknown author's" in said
    )
    assert "To claim what you checked:\n  MEMORY.md and SOUL.md: clawgit keep --as operator " in said


def test_init_names_a_key_that_its_gitignore_leaves_out_and_sends_nobody_to_the_doctor(
    old_folder, capfd
) -> None:
    """Seen: `clawgit doctor` says what to do, and the doctor found everything in order."""
    (old_folder / ".env.local").write_text("TOKEN=ghp_" + "Ab3dE5gH7jK9mN1pQ3sT5vW7xZ9bC2dF4gH6\n")

    assert run(["-w", str(old_folder), "init"], {}) == 0

    out = capfd.readouterr().out
    assert "Left out of git by .gitignore, looks like a key: .env.local" in out
    assert "doctor" not in out


def test_what_init_says_how_to_claim_does_claim(old_folder, capfd) -> None:
    assert run(["init", str(old_folder)], {}) == 0
    line = next(each for each in capfd.readouterr().out.splitlines() if "SOUL.md: clawgit keep " in each)

    assert run(["-w", str(old_folder), *line.split("clawgit ")[1].split()], {}) == 0

    assert run(["-w", str(old_folder), "memory", "list", "--json"], {}) == 0
    assert '"trust": "operator"' in capfd.readouterr().out


def test_init_says_that_they_count_as_the_operators_who_said_so(old_folder, capfd) -> None:
    assert run(["init", str(old_folder), "--trust", "operator"], {}) == 0

    said = capfd.readouterr().out
    assert "MEMORY.md and SOUL.md count as your words" in said
    assert "memory/2026-01-01.md that `init` commits counts as an unknown author's" in said
    assert [actor_of(old_folder, path) for path in ("SOUL.md", "memory/2026-01-01.md")] == [
        "operator",
        "unknown",
    ]


def test_init_says_whose_earlier_commits_count_as(old_folder, capfd) -> None:
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "mine"]):
        subprocess.run([*git, *words], cwd=old_folder, check=True)

    assert run(["init", str(old_folder)], {}) == 0

    said = capfd.readouterr().out
    assert "What git had before counts as yours, but for mails." in said.replace("Whose words: w", "W")
    assert "unknown author" not in said


def committed_as(root, name: str, times: int = 1) -> None:
    address = f"{name.partition(' ')[0]}@example.org"
    who = ["git", "-c", f"user.name={name}", "-c", f"user.email={address}"]
    for _ in range(times):
        subprocess.run([*who, "commit", "-q", "--allow-empty", "-m", "a line"], cwd=root, check=True)


def test_init_names_the_other_authors_of_what_counts_as_yours(old_folder, capfd) -> None:
    for words in (["init", "-q"], ["add", "."], ["config", "user.email", "Ada@example.org"]):
        subprocess.run(["git", *words], cwd=old_folder, check=True)
    subprocess.run(["git", "config", "user.name", "Ada"], cwd=old_folder, check=True)
    committed_as(old_folder, "Ada", 2)
    committed_as(old_folder, "Priya Raman")
    assert run(["init", str(old_folder), "--dry-run"], {}) == 0
    alone = capfd.readouterr().out
    for times, name in enumerate(("Tomasz Wieczorek", "dozer (agent)", "Bo"), 2):
        committed_as(old_folder, name, times)

    assert run(["init", str(old_folder), "--dry-run"], {}) == 0
    ahead = capfd.readouterr().out
    assert run(["init", str(old_folder)], {}) == 0
    done = capfd.readouterr().out

    assert "but for mails; of it, 1 commit by Priya Raman counts as yours, too: `clawgit log`." in alone
    named = "10 commits by Bo, dozer (agent), Tomasz Wieczorek and 1 more count as yours, too: `clawgit log`."
    assert [f"but for mails; of it, {named}" in text for text in (ahead, done)] == [True, True]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("begun", "helps"),
    [
        pytest.param([["commit", "-qm", "mine", "--allow-empty"]], "commit -q -m staged", id="a commit"),
        pytest.param([["commit", "-qm", "mine", "--allow-empty"]], "reset", id="unstaged"),
        pytest.param([], "commit -q -m staged", id="no commit yet"),
        pytest.param([], "reset", id="no commit yet, unstaged"),
    ],
)
def test_init_refuses_what_is_staged_and_changes_nothing(old_folder, capfd, begun, helps) -> None:
    """Mutants: a stash is told where there is no commit, and git refuses it; it takes away what is not staged; the commands name no folder."""
    way_out = (
        f"Commit it first (`git -C {old_folder} -c user.name=operator -c user.email=operator@localhost commit -m staged`),"
        f" or unstage it (`git -C {old_folder} reset`: the files stay"
    )
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for words in (["init", "-q"], *begun, ["add", "MEMORY.md"]):
        subprocess.run([*git, *words], cwd=old_folder, check=True)

    assert run(["init", str(old_folder), "--trust", "operator"], {}) == 1

    said = capfd.readouterr().err
    assert "Staged in git and not committed: MEMORY.md." in said
    assert way_out in said
    assert not (old_folder / "AGENTS.md").exists()
    assert run(["init", str(old_folder), "--dry-run"], {}) == 1
    preview = capfd.readouterr().out
    assert "\n`clawgit init` refuses now. Staged in git and not committed: MEMORY.md." in preview
    assert way_out in preview
    assert preview.startswith(f"{old_folder}: an existing folder, to be adopted as it is")
    (old_folder / "SOUL.md").write_text("- Not staged.\n")
    subprocess.run([*git, *helps.split()], cwd=old_folder, check=True)
    assert (old_folder / "SOUL.md").read_text() == "- Not staged.\n"
    assert run(["init", str(old_folder), "--trust", "operator"], {}) == 0


def test_what_is_staged_can_be_committed_as_init_says_also_by_whom_git_does_not_know(
    old_folder, capfd
) -> None:
    """Seen: "Author identity unknown". Mutant: no address is given."""
    subprocess.run(["git", "init", "-q"], cwd=old_folder, check=True)
    subprocess.run(["git", "config", "user.useConfigOnly", "true"], cwd=old_folder, check=True)
    subprocess.run(["git", "add", "MEMORY.md"], cwd=old_folder, check=True)
    assert run(["init", str(old_folder), "--trust", "operator"], {}) == 1
    (way,) = re.findall(r"`(git .*commit.*?)`", capfd.readouterr().err)

    subprocess.run([*way.split(), "-q"], check=True)  # from any folder

    assert run(["init", str(old_folder), "--trust", "operator"], {}) == 0


@pytest.mark.parametrize("trust", ["operator", "unknown"])
def test_init_says_that_trust_comes_too_late_and_what_to_do(old_folder, capfd, trust: str) -> None:
    assert run(["init", str(old_folder)], {}) == 0
    before = actor_of(old_folder, "MEMORY.md")
    capfd.readouterr()

    assert run(["init", str(old_folder), "--trust", trust, "--json"], {}) == 0

    said = capfd.readouterr()
    assert "--trust was not looked at" in said.err
    assert "clawgit keep --as operator COMMIT" in said.err
    assert json.loads(said.out)["trust"] is None
    assert actor_of(old_folder, "MEMORY.md") == before


def init_at_terminal(answers: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `clawgit init` as somebody at a terminal who gives these answers."""
    own, terminal = pty.openpty()
    os.write(own, answers.encode())
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        asking = begin(["init", *words], {}, (terminal, out.fileno(), err.fileno()))
        asking.join()
        out.seek(0)
        err.seek(0)
        done = subprocess.CompletedProcess(words, asking.exitcode or 0, out.read(), err.read())
    os.close(own)
    os.close(terminal)
    return done


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("answer", "actor"), [("y", "operator"), ("n", "unknown"), ("", "unknown")])
def test_on_a_terminal_init_asks_whose_the_files_are(old_folder, answer: str, actor: str) -> None:
    done = init_at_terminal(f"{answer}\n{answer}\n", str(old_folder))

    assert done.returncode == 0
    assert "Did you write or check MEMORY.md and SOUL.md? [y/N]" in done.stderr
    assert "And " not in done.stderr  # there is nothing else
    assert "n: each counts as yours once you claim it (`clawgit keep --as operator`)." in done.stderr
    assert "y: later edits here count as your words, your agent's too until you connect it." in done.stderr
    assert "\nCount edits in this folder as yours? [y/N]: " in done.stderr
    is_mine = re.search(r"^edits_here: mine", (old_folder / "CONFIG.md").read_text(), re.MULTILINE)
    assert bool(is_mine) == (actor == "operator")
    assert actor_of(old_folder, "SOUL.md") == actor
    assert actor_of(old_folder, "memory/2026-01-01.md") == "unknown"


def test_the_screen_of_a_folder_that_lives_is_one_screen(tmp_path, capfd) -> None:
    """Seen: 51 lines of a terminal, of which few were of use. Mutant: a folder without a remote is told how to pull."""
    texts = {f"memory/2026-01-{day:02}.md": "- Rain.\n" for day in range(1, 15)}
    for name in ("SOUL.md", "MEMORY.md", "USER.md", "mails/eva.md", "notes/a.md", "notes/b.md"):
        texts[name] = f"- {name} has this.\n"
    texts["notes/keys.md"] = "key: " + "AKIA" + "J5XQ7RTL2MWN4PZK\n"
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    for words in (["init", "-q"], ["config", "user.name", "Ada"], ["config", "user.email", "ada@x.example"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    assert run(["init", str(tmp_path), "--trust", "operator"], {}) == 0
    plain = capfd.readouterr().out
    shutil.rmtree(tmp_path / ".git/clawgit")
    subprocess.run(["git", "remote", "add", "origin", "https://x.example/a.git"], cwd=tmp_path, check=True)
    (tmp_path / "MEMORY.md").write_text("- Other.\n")
    (tmp_path / "CONFIG.md").unlink()

    assert run(["init", str(tmp_path)], {}) == 0

    lines = plain.replace(str(tmp_path), "~/agent").splitlines()
    assert sum(max(1, -(-len(line) // 80)) for line in lines) <= 24  # and six lines of questions
    assert any("notes/keys.md:1" in line for line in lines)
    assert "git pull --no-rebase" in capfd.readouterr().out
    assert "git pull" not in plain


def test_the_question_names_what_it_is_about_where_git_has_the_files_already(old_folder) -> None:
    """Seen: an n that held for one uncommitted line was taken for the 500 lines in git."""
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *words], cwd=old_folder, check=True)
    (old_folder / "MEMORY.md").write_text("- Something.\n- More.\n")

    done = init_at_terminal("n\nn\n", str(old_folder))

    about = "the uncommitted changes of MEMORY.md (what git has counts as yours already)"
    assert f"Did you write or check {about}? [y/N]" in done.stderr


@pytest.mark.parametrize(("answer", "actor"), [("y", "operator"), ("n", "unknown")])
def test_what_else_is_there_is_a_question_of_its_own(old_folder, answer: str, actor: str) -> None:
    """Mutant: a yes that was meant for the soul makes a pasted chat the operator's words."""
    (old_folder / "notes").mkdir()
    for name in ("a.md", "b.md", "c.md", "d.md"):
        (old_folder / "notes" / name).write_text(f"{name} has the words of somebody.\n")

    done = init_at_terminal(f"y\n{answer}\nn\n", str(old_folder))

    assert done.returncode == 0
    assert "Did you write or check MEMORY.md and SOUL.md? [y/N]" in done.stderr
    question = "And the 4 other files outside memory/: notes/ 4? [y/N]"
    assert question in done.stderr
    assert actor_of(old_folder, "SOUL.md") == "operator"
    assert actor_of(old_folder, "notes/c.md") == actor
    assert actor_of(old_folder, "memory/2026-01-01.md") == "unknown"


def test_the_dry_run_names_each_question_that_init_asks(old_folder, clawgit) -> None:
    """Seen: two questions announced, and a third asked."""
    asks = "would ask whether later edits in this folder count as yours"
    plain = clawgit("init", "--dry-run", str(old_folder)).out
    answered = clawgit("init", "--dry-run", "--edits-here", "unknown", str(old_folder)).out
    by_host = clawgit("init", "--dry-run", str(old_folder), actor="host").out

    assert "would ask whether you wrote or checked" in plain
    assert [asks in each for each in (plain, answered, by_host)] == [True, False, False]


def test_an_answer_that_is_neither_is_asked_for_again_in_words(old_folder) -> None:
    done = init_at_terminal("maybe\ny\ny\n", str(old_folder))

    assert done.returncode == 0
    assert "Type y for yes or n for no." in done.stderr
    assert "invalid input" not in done.stderr
    assert "edits_here: mine" in (old_folder / "CONFIG.md").read_text()


@pytest.mark.parametrize("answers", ["\x04", "y\n\x04"])
def test_who_gives_no_answer_has_changed_nothing(old_folder, answers: str) -> None:
    """Mutant: it is asked behind the adoption, which ^D then leaves done and untold."""
    before = sorted(old_folder.rglob("*"))

    done = init_at_terminal(answers, str(old_folder))

    assert done.returncode == 130
    assert "Nothing was changed." in done.stderr
    assert sorted(old_folder.rglob("*")) == before


@pytest.mark.parametrize(("more", "actor"), [((), "host"), (("MEMORY.md",), "unknown")])
def test_the_form_of_a_hosts_first_conversation_is_the_hosts_and_nobody_is_asked(
    tmp_path, more: tuple[str, ...], actor: str
) -> None:
    """Mutant: who wrote the templates is asked of somebody who never saw them, and the model reads them as a stranger's."""
    for name in ("SOUL.md", "USER.md", "BOOTSTRAP.md", *more):
        (tmp_path / name).write_text(f"# {name}\n")
    done = init_at_terminal("n\n", str(tmp_path), "--edits-here", "unknown")

    assert done.returncode == 0
    assert ("Did you write or check" in done.stderr) == bool(more)
    assert ("its own program made them" in done.stdout) != bool(more)
    assert actor_of(tmp_path, "USER.md") == actor
    assert bool(unclaimed_commits(open_history(tmp_path))) == bool(more)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", [[], ["--trust", "operator"], ["--dry-run"]])
def test_init_asks_nothing_where_there_is_nothing_to_ask(tmp_path, old_folder, words) -> None:
    place = old_folder if words else tmp_path / "new"
    done = init_at_terminal("", str(place), *words, "--edits-here", "unknown")

    assert done.returncode == 0
    assert "[y/N]" not in done.stderr


@pytest.mark.rest
def test_init_without_a_terminal_sets_edits_here_only_where_it_is_told(tmp_path, capfd) -> None:
    for answer in ("mine", "unknown", ""):
        root = tmp_path / f"x{answer}"
        words = ["--edits-here", answer] if answer else []
        assert run(["init", str(root), *words], {}) == 0
        is_mine = re.search(r"^edits_here: mine", (root / "CONFIG.md").read_text(), re.MULTILINE)
        assert bool(is_mine) == (answer == "mine")


def test_status_is_silent_when_nothing_waits(clawgit, room) -> None:
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")

    assert "nothing is pending" in clawgit("status").out


def test_what_is_true_of_several_files_alike_is_one_line(clawgit, room) -> None:
    for name in ("first.md", "second.md"):
        (room.root / name).symlink_to("MEMORY.md")

    (line,) = (each for each in clawgit("keep").err.splitlines() if "symbolic link" in each)
    assert "first.md is a symbolic link" in line
    assert line.endswith("The same is true of second.md.")
    room.write("memory/big.md", "x" * 2_000_000)
    assert "! Not committed, too large: memory/big.md (`clawgit doctor`" in clawgit("status").out
    (line,) = (each for each in clawgit("keep").err.splitlines() if "first.md" in each)
    assert (
        "Not committed, no plain file, or in a folder that you may not open: first.md and second.md; too large:"
        in line
    )
    assert "first.md is a symbolic link" in clawgit("doctor").err
    (room.root / "third.md").symlink_to("MEMORY.md")
    named = "no plain file, or in a folder that you may not open: first.md, second.md and third.md; too large: memory/big.md"
    assert (
        f"! Not committed, {named} (`clawgit doctor` says what to do)." in clawgit("status").out.splitlines()
    )
    room.write("notes/keys.md", "- password: tiger777\n")
    assert f"! Not committed, looks like a key: notes/keys.md:1; {named} (" in clawgit("status").out


def test_init_says_that_a_pipe_is_one(clawgit, tmp_path) -> None:
    """Seen: "too large, or not readable as text"."""
    root = tmp_path / "agent"
    root.mkdir()
    (root / "MEMORY.md").write_text("- One.\n")
    os.mkfifo(root / "pipe.md")

    assert "1 file is not searched: pipe.md (a pipe, a socket or a device)." in clawgit("init", str(root)).out


def test_doctor_says_what_it_leaves_out_and_that_nothing_is_wrong(clawgit, room) -> None:
    """Mutant: a list of what is not committed, and then "Everything is in order"."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")
    (room.root / "first.md").symlink_to("MEMORY.md")

    said = clawgit("doctor")

    assert (said.code, said.out.partition(".")[0]) == (0, "Nothing is wrong")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("state", ["merge", "detached"])
def test_a_preview_comes_in_a_state_in_which_init_refuses(room, tmp_path, capfd, state: str) -> None:
    """Mutant: it exits 0, and a script goes on to an `init` that refuses."""
    folder = tmp_path / "agent"
    folder.mkdir()
    for words in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        room.git("-C", str(folder), "-c", "user.name=Ada", "-c", "user.email=a@b", *words)
    if state == "merge":
        (folder / ".git/MERGE_HEAD").write_text(room.git("-C", str(folder), "rev-parse", "HEAD"))
    else:
        room.git("-C", str(folder), "switch", "-q", "--detach")
    (folder / "MEMORY.md").write_text("- One.\n")

    assert run(["init", str(folder), "--dry-run", "--json"], {}) == 1

    told = json.loads(capfd.readouterr().out)
    assert told["refused"].startswith({"merge": "A merge", "detached": "HEAD is not on a branch"}[state])
    assert told["kept"]["paths"] == ["MEMORY.md"]
    assert run(["init", str(folder)], {}) == 1
    assert not (folder / "SOUL.md").exists()


def test_a_file_that_is_gone_is_named_as_deleted_and_not_as_taken_over(tmp_path, capfd) -> None:
    root = tmp_path / "old"
    root.mkdir()
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "old"]):
        (root / "gone.md").write_text("x\n")
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=root, check=True)
    (root / "gone.md").unlink()
    (root / "here.md").write_text("y\n")

    for words in (["init", "--dry-run"], ["init"]):
        assert run([*words, str(root)], {}) == 0
        said = capfd.readouterr()
        assert "1 deleted, since git has it and the folder not: gone.md" in said.out
        assert "here.md" in said.out
        assert "gone.md" not in said.out.replace("the folder not: gone.md", "")


def test_what_the_repository_held_before_is_no_news(tmp_path, capfd) -> None:
    """Mutant: the news of a day begins before the workspace was made."""
    root = tmp_path / "old"
    root.mkdir()
    (root / "MEMORY.md").write_text("# Memory\n\n- Nora is allergic to hazelnuts.\n")
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    yesterday = {
        **os.environ,
        "GIT_COMMITTER_DATE": "2026-03-19T02:00:00Z",
        "GIT_AUTHOR_DATE": "2026-03-19T02:00:00Z",
    }
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "mine"]):
        subprocess.run([*git, *words], cwd=root, check=True, env=yesterday)
    at = {"CLAWGIT_NOW": "2026-03-19T10:22:00+00:00", "CLAWGIT_REHEARSE": "1"}
    assert run(["init", str(root)], at) == 0
    assert run(["-w", str(root), "remember", "The rent is due."], at) == 0
    capfd.readouterr()

    assert run(["-w", str(root), "status"], at) == 0

    out = capfd.readouterr().out
    assert "learned: The rent is due." in out
    assert "hazelnuts" not in out


def test_status_names_what_is_not_committed_and_what_waits(clawgit, room) -> None:
    room.write("memory/a.md", "x\n")
    room.write("memory/big.md", "x" * (1024 * 1024 + 1))
    room.write("SOUL.md", "I am somebody else.\n")
    clawgit("keep")
    room.write("memory/b.md", "x\n")

    said = clawgit("status")
    data = clawgit("status", "--json").data

    assert "not committed: memory/b.md" in said.out
    assert "! Not committed, too large: memory/big.md (`clawgit doctor` says what to do)." in said.out
    assert "memory/big.md has 1,048,577 bytes" in clawgit("doctor").err
    assert data["uncommitted"] == ["SOUL.md", "memory/b.md"]
    assert [item["paths"] for item in data["proposals"]] == [["SOUL.md"]]


def test_status_in_the_middle_of_a_merge_says_so(clawgit, room) -> None:
    room.git("checkout", "-qb", "other")
    room.write("USER.md", "theirs\n")
    room.git("commit", "-qam", "theirs")
    room.git("checkout", "-q", "main")
    room.write("USER.md", "ours\n")
    room.git("commit", "-qam", "ours")
    room.git("merge", "-q", "other", check=False)

    said = clawgit("status").out
    assert "A merge is not finished" in said
    assert "In conflict: USER.md.\n" in said
    assert clawgit("memory", "add", "x").code == 1


def test_keep_commits_and_prints_the_commits(clawgit, room) -> None:
    room.write("memory/a.md", "x\n")

    said = clawgit("keep", "--reason", "A walk in the park.")

    assert said.out == room.head()[:12] + "\n"
    assert "> A walk in the park." in room.git("log", "-1", "--format=%B")
    assert room.actors()[0] == "unknown"


def test_keep_as_the_operator_carries_their_git_name(clawgit, room) -> None:
    room.git("config", "user.name", "Ada Lovelace")
    room.write("memory/a.md", "x\n")

    clawgit("keep", "--as", "operator")

    assert room.git("log", "-1", "--format=%an") == "Ada Lovelace"


def test_a_host_cannot_keep_as_the_operator(clawgit, room) -> None:
    room.write("memory/a.md", "x\n")

    assert clawgit("keep", "--as", "operator", actor="host").code == 1
    assert clawgit("keep", "--as", "operator", "HEAD", actor="memory-miner").code == 1


def test_an_unknown_actor_is_a_configuration_error(clawgit) -> None:
    assert clawgit("memory", "add", "x", actor="somebody").code == 4


def test_pause_and_resume(clawgit) -> None:
    clawgit("pause", "a review")

    assert "a review" in clawgit("status").out
    assert clawgit("memory", "add", "x", actor="memory-miner", environment={}).code == 1
    clawgit("resume")
    assert clawgit("memory", "add", "x", actor="memory-miner").code == 0


def test_only_the_operator_pauses_and_resumes(clawgit, tmp_path) -> None:
    for words in (["init", str(tmp_path / "x"), "--trust", "operator"], ["pause"], ["resume"]):
        said = clawgit(*words, actor="host")
        assert said.code == 1
        assert "only you can" in said.err
    assert not (tmp_path / "x").exists()


def test_status_does_not_list_thousands_of_files(clawgit, room) -> None:
    for number in range(30):
        room.write(f"memory/{number}.md", "x\n")

    assert "and 10 more files" in clawgit("status").out


def test_doctor_finds_nothing_in_a_good_workspace(clawgit) -> None:
    said = clawgit("doctor")

    assert (said.code, said.out) == (0, "Everything is in order.\n")


def test_doctor_names_a_damaged_object_and_does_not_hang(clawgit, room) -> None:
    made = room.change({"memory/a.md": "x\n"}).commit_id
    room.unpack()
    path = room.root / ".git/objects" / made[:2] / made[2:]
    data = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(data[: len(data) // 2])

    said = clawgit("doctor")

    assert said.code == 1
    assert made in said.out
    refused = clawgit("memory", "add", "x")
    assert refused.code == 1
    assert made in refused.err


def test_doctor_fix_removes_an_old_foreign_lock(clawgit, room) -> None:
    lock = room.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))

    assert "index.lock has been there" in clawgit("doctor").out
    assert clawgit("doctor", "--fix").code == 0
    assert not lock.exists()


def test_doctor_fix_closes_the_folder_of_records(clawgit, room) -> None:
    (room.root / ".git/clawgit").chmod(0o755)

    assert clawgit("doctor", "--fix").code == 0
    assert (room.root / ".git/clawgit").stat().st_mode & 0o777 == 0o700


def test_doctor_leaves_a_shared_folder_to_those_who_share_it(clawgit, room) -> None:
    os.chmod(room.root, 0o2770)  # noqa: PTH101 - the group's bit is part of it
    assert clawgit("doctor").code == 0


@pytest.mark.parametrize("words", [["status"], ["keep"], ["memory", "add", "x"], ["config", "show"]])
def test_outside_of_a_workspace_the_message_names_the_way_in(tmp_path, monkeypatch, capfd, words) -> None:
    monkeypatch.chdir(tmp_path)

    assert run(words, {}) == 1
    assert "clawgit init" in capfd.readouterr().err


def test_the_workspace_is_found_upwards(room, monkeypatch, capfd) -> None:
    monkeypatch.chdir(room.root / "memory")

    assert run(["status", "--json"], {}) == 0
    assert str(room.root) in capfd.readouterr().out


def test_now_dates_the_commit(clawgit, room) -> None:
    clawgit("memory", "add", "Later.", "--to", "MEMORY.md", "--now", "2027-01-02T03:04:05+00:00")

    assert room.git("log", "-1", "--format=%aI") == "2027-01-02T03:04:05+00:00"
    assert "2027-01-02: Later." in room.read("MEMORY.md")


@pytest.mark.parametrize("way", ["--now", "CLAWGIT_NOW"])
def test_a_time_ahead_of_the_clock_is_refused_where_nobody_rehearses(clawgit, room, way: str) -> None:
    """Mutant: it dates this commit, and with it all later ones."""
    before = room.head()
    words = ("memory", "add", "Later.", "--to", "MEMORY.md")
    told = ("--now", "2098-01-02") if way == "--now" else ()
    environment = {"CLAWGIT_NOW": "2098-01-02"}

    refused = clawgit(*words, *told, environment=environment | {"CLAWGIT_REHEARSE": ""})
    assert refused.code == 2
    assert "2098-01-02 is ahead of the clock" in refused.err
    assert room.head() == before

    assert clawgit("--rehearse", *words, *told, environment=environment | {"CLAWGIT_REHEARSE": ""}).code == 0
    assert clawgit(*words[:2], "Tea.", *told, environment=environment).code == 0
    assert room.git("log", "-1", "--format=%aI").startswith("2098-01-02")


def test_a_time_that_has_been_needs_no_rehearsal(clawgit, room) -> None:
    words = ("memory", "add", "Then.", "--to", "MEMORY.md", "--now", "2001-01-02")

    assert clawgit(*words, environment={"CLAWGIT_REHEARSE": ""}).code == 0


def test_a_wrong_time_is_a_usage_error(clawgit) -> None:
    assert clawgit("memory", "add", "x", "--now", "tomorrow").code == 2


@pytest.mark.rest
def test_a_closed_pipe_is_no_bug(room) -> None:
    done = subprocess.run(
        f"{sys.executable} -m clawgit -w {room.root} config show | head -1; echo ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        check=True,
        text=True,
    )

    assert done.stdout.splitlines()[-1] in ("0", "141")
    assert "Traceback" not in done.stderr


def test_a_close_command_is_suggested(clawgit) -> None:
    said = clawgit("memroy", "add", "x")

    assert said.code == 2
    assert "memory" in said.err


def test_init_brings_back_what_was_deleted_and_keeps_the_settings(clawgit, room) -> None:
    clawgit("config", "set", "soul_policy", "locked")
    clawgit("memory", "add", "Tea.", "--to", "MEMORY.md")
    config, memory = room.read("CONFIG.md"), room.read("MEMORY.md")
    (room.root / "CONFIG.md").unlink()
    (room.root / "MEMORY.md").unlink()

    assert "MEMORY.md" in clawgit("doctor").out
    clawgit("init", str(room.root))

    assert (room.read("CONFIG.md"), room.read("MEMORY.md")) == (config, memory)
    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "locked"
    assert room.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "case", ["a file", "bare", "inside", "a link for a folder", "home", "a file for a folder"]
)
def test_init_refuses_what_is_no_place_and_changes_nothing(room, tmp_path, capfd, own_home, case) -> None:
    root = tmp_path / "place"
    if case == "a file":
        root.write_text("x")
    elif case == "bare":
        subprocess.run(["git", "init", "-q", "--bare", root], check=True)
    elif case == "inside":
        root = room.root / "memory"
    elif case == "home":
        root = own_home
    else:
        root.mkdir()
        (root / "memory").symlink_to("/tmp") if "link" in case else (root / "agents").write_text("x")
    before = sorted(str(path) for path in tmp_path.rglob("*"))

    assert run(["init", str(root)], {}) == 1
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before
    assert capfd.readouterr().err.startswith("clawgit: ")


def test_a_sparse_checkout_is_refused(clawgit, room) -> None:
    room.git("sparse-checkout", "set", "agents")

    said = clawgit("keep")

    assert said.code == 1
    assert "sparse" in said.err


@pytest.mark.parametrize(
    "words", [("keep",), ("status",), ("doctor",), ("memory", "add", "Ada prefers tea.", "--to", "MEMORY.md")]
)
def test_a_split_index_is_named_with_what_to_do(clawgit, room, words) -> None:
    room.write("notes.md", "A note.\n")
    room.git("update-index", "--split-index")
    before = room.head()

    said = clawgit(*words)

    assert said.code != 0
    assert "git's index is split or sparse" in said.out + said.err
    assert "`git update-index --no-split-index`" in said.out + said.err
    assert room.head() == before


def test_an_index_that_is_no_longer_split_can_be_changed(clawgit, room) -> None:
    room.git("update-index", "--split-index")
    room.git("update-index", "--no-split-index")

    assert clawgit("memory", "add", "Ada prefers tea.", "--to", "MEMORY.md").code == 0
    assert "index" not in clawgit("doctor").err


def test_an_op_like_clawgits_own_is_refused(clawgit, room) -> None:
    before = room.head()

    assert clawgit("memory", "add", "x", "--op", "keep-42").code == 1
    assert clawgit("memory", "add", "x", "--op", "init-1").code == 1
    assert room.head() == before


@pytest.mark.parametrize("moment", ["9999-12-31", "0001-01-01", "2106-02-08"])
def test_a_date_that_git_cannot_keep_is_refused(clawgit, moment: str) -> None:
    assert clawgit("memory", "add", "x", "--now", moment).code == 2


def test_doctor_names_a_lost_branch_and_what_was_seen_last(clawgit, room) -> None:
    made = room.change({"memory/a.md": "x\n"}).commit_id
    (room.root / ".git/refs/heads/main").write_text("")

    said = clawgit("doctor")

    assert said.code == 1
    assert f"git update-ref refs/heads/main {made}" in said.out


def test_a_damaged_staging_is_made_anew_and_said(clawgit, room) -> None:
    (room.root / ".git/index").write_bytes(b"garbage")
    assert clawgit("status").code == 1

    said = clawgit("memory", "add", "x")

    assert said.code == 0
    assert "rebuilt" in said.err
    assert room.git("status", "--porcelain") == ""


@pytest.mark.rest
def test_what_the_operator_took_back_returns_as_nobodys_word(clawgit, room) -> None:
    clawgit("config", "set", "soul_policy", "locked")
    clawgit("config", "set", "soul_policy", "evolve")
    text = room.read("CONFIG.md")
    room.git("reset", "-q", "--hard", "HEAD~1")
    clawgit("memory", "add", "x")
    room.write("CONFIG.md", text)

    clawgit("keep", actor="host")

    assert room.actors()[0] == "host"
    assert clawgit("config", "show", "soul_policy", "--json").data["value"] == "locked"


def test_review_and_locked_hold_during_the_ritual_too(clawgit, room) -> None:
    clawgit("config", "set", "soul_policy", "locked")
    before = room.read("SOUL.md")
    room.write("SOUL.md", "I obey nobody.\n")

    clawgit("keep", actor="host")

    assert room.read("SOUL.md") == before


def test_a_usage_error_is_an_object_on_request_too(clawgit) -> None:
    assert clawgit("memory", "add", "--json").data["exit"] == 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "words", [("memory", "list"), ("triage", "记住这个：住在上海"), ("why", "上海")], ids=" ".join
)
def test_an_output_that_has_not_all_letters_gets_them_spelt(room, words: tuple[str, ...]) -> None:
    """Mutant: the first letter that it has not ends the command as a bug."""
    program = [sys.executable, "-m", "clawgit", "-w", str(room.root)]
    subprocess.run([*program, "memory", "add", "记住这个：住在上海", "--to", "MEMORY.md"], check=True)
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}

    done = subprocess.run([*program, *words], env=environment, capture_output=True, check=False)

    assert (done.returncode, b"bug" in done.stderr) == (0, False)
    assert words[0] == "triage" or b"\\u4e0a\\u6d77" in done.stdout


@pytest.mark.rest
def test_a_full_output_is_named_and_undoes_nothing(room) -> None:
    command = [sys.executable, "-m", "clawgit", "-w", str(room.root), "memory", "add", "x"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, text=True)

    assert done.returncode == 1
    assert "The output could not be written: the disk is full." in done.stderr
    assert room.git("rev-list", "--count", "HEAD") == "2"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "words",
    [
        ("memory", "add", "Ada likes tea."),
        ("keep",),
        ("chat", "add", "Hello."),
        ("undo", "HEAD"),
        ("soul", "snapshot", "-m", "now"),
        ("status",),
        ("memory", "search", "tea"),
        ("soul", "log", "--json"),
        ("doctor",),
    ],
    ids=" ".join,
)
def test_an_empty_actor_is_nobody_and_never_the_operator(room, clawgit, words: tuple[str, ...]) -> None:
    before = room.head()
    room.write("memory/a.md", "x\n")

    done = clawgit(*words, environment={"CLAWGIT_ACTOR": ""})

    assert done.code == 4
    assert "'' is not an actor" in done.err
    assert room.head() == before
