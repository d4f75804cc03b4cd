"""The tools, resources and bounds of MCP with a service and a workspace behind them, over stdin and stdout."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import time
from socket import AF_UNIX, socket
from typing import TYPE_CHECKING

import pytest

from clawgit.cli.main import run
from clawgit.operations.status import folder_of, read_standing
from clawgit.service.mcp.protocol import McpSession
from clawgit.service.mcp.stdio_proxy import REQUESTS, Proxy

if TYPE_CHECKING:
    from collections.abc import Mapping

SOUL = "# SOUL\n\n- Be kind.\n"


class Talk:
    """A client of the proxy, which is a thread of this process."""

    def __init__(self, speaker: dict[str, str]) -> None:
        self.speaker = speaker

    def ask(self, *messages: Mapping[str, object]) -> dict[object, dict[str, object]]:
        """Return what was answered, by the numbers of the requests."""
        said, output = (
            io.BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in messages)),
            io.BytesIO(),
        )
        proxy = Proxy(McpSession("all"), self.speaker, os.environ, output)
        proxy.serve(said)
        answers = [json.loads(line) for line in output.getvalue().splitlines()]
        return {each["id"]: each for each in answers}

    def call(self, name: str, **arguments: object) -> tuple[str, dict[str, object]]:
        """Return the text of a tool's answer, and all of it."""
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        answer = self.ask(request | {"params": {"name": name, "arguments": arguments}})[1]
        result = answer["result"]
        return str(result["content"][0]["text"]), result


@pytest.fixture
def running(start_service, room):
    room.write("SOUL.md", SOUL)
    room.keep("operator")
    return start_service()


@pytest.fixture
def talk(running, room) -> Talk:
    return Talk({"workspace": str(room.root), "actor": "host"})


def of_the_operator(running, text: str) -> str:
    """Bring a message of the operator's, and return how it is cited."""
    said = running.client().ask("message.in", workspace="main", actor="operator", text=text)
    return str(said["result"]["id"])


@pytest.mark.rest
def test_what_is_added_is_found_and_read_on(talk) -> None:
    added, _ = talk.call("memory_add", text="Ada prefers green tea.", op_id="op-1")
    again, _ = talk.call("memory_add", text="Ada prefers green tea.", op_id="op-1")
    found, _ = talk.call("memory_search", query="which tea does Ada prefer")
    place = found.split("[")[1].split("]")[0]
    path, _, line = place.partition(":")
    read, _ = talk.call("memory_get", path=path, **{"from": int(line), "lines": 1})
    why, _ = talk.call("why", what=place)

    assert "memory/learned.md" in added
    assert "applied before" in again
    assert "Ada prefers green tea." in found
    assert "Ada prefers green tea." in read
    assert "based on: host" in why


@pytest.mark.rest
def test_a_correction_is_made_where_the_operators_message_carries_it_and_asked_else(
    running, talk, room
) -> None:
    room.write("MEMORY.md", "# Memory\n\n- The review is on Wednesday.\n")
    room.keep("operator")
    run(["-w", str(room.root), "pause"], {})  # else the recall-validator may be first
    cited = of_the_operator(running, "No, the review is on Thursday.")
    right = "The review is on Thursday."

    unsaid, _ = talk.call(
        "memory_correct", wrong="Wednesday", right="The review is on Friday.", evidence=cited
    )
    guests = "The review is on Thursday for guests."
    asked, _ = talk.call("memory_correct", wrong="Wednesday", right=guests, evidence=cited)
    assert "- The review is on Wednesday." in room.read("MEMORY.md")
    done, _ = talk.call("memory_correct", wrong="Wednesday", right=right, evidence=cited)

    assert "does not say 'friday'" in unsaid
    assert "The operator is asked" not in unsaid
    assert "The operator is asked" in asked
    assert "applied" in done
    assert f"- {right}" in room.read("MEMORY.md")
    assert "Friday" not in room.read("CORRECTIONS.md")


@pytest.mark.rest
def test_without_a_message_a_correction_is_asked_once_and_his_answer_ends_it(clawgit, talk, room) -> None:
    """Mutants: a host's word changes memory; what he refused is asked again; nobody is asked and the model gets an error."""
    room.change({"MEMORY.md": "# Memory\n\n- The port is 8080.\n- Ada likes tea.\n"}, actor="operator")
    before = room.read("MEMORY.md")
    port = {"wrong": "The port is 8080.", "right": "The port is 9090."}
    tea = {"wrong": "2026-03-19: Ada likes tea. #knowledge", "right": "Ada likes coffee."}

    answers = [talk.call("memory_correct", **each) for each in (port, port, tea)]
    items = clawgit("pending", "--kind", "question", "--json").data
    one, other = sorted(items, key=lambda each: "tea" in each["text"])
    assert room.read("MEMORY.md") == before
    clawgit("approve", one["id"])
    clawgit("reject", other["id"])
    again, _ = talk.call("memory_correct", **tea)
    done, _ = talk.call("memory_correct", **port)

    assert [result.get("isError") for _, result in answers] == [None] * 3
    assert ["outcome: asks" in text for text, _ in answers] == [True] * 3
    assert {one["actor"], other["actor"]} == {"host"}
    assert all("Your agent says so" in each["why"] for each in (one, other))
    assert "took that back" in again
    assert "says so already" in done
    assert clawgit("pending", "--kind", "question", "--json").data == []
    memory = room.read("MEMORY.md")
    assert "- The port is 9090." in memory
    assert "- Ada likes tea." in memory
    assert {each["trust"] for each in clawgit("memory", "list", "--json").data} == {"operator"}


@pytest.mark.rest
def test_a_question_about_a_line_that_changed_since_stays_with_a_way_that_works(clawgit, talk, room) -> None:
    """Seen: in no list, and `approve`, which is refused, in `pending show`. Mutant: what he forgets is asked on."""
    line = "- The port is 8080.\n"
    room.change({"MEMORY.md": line + "- Ada likes tea.\n"}, actor="operator")
    talk.call("memory_correct", wrong="The port is 8080.", right="The port is 9090.")
    talk.call("memory_correct", wrong="Ada likes tea.", right="Ada likes coffee.")
    room.write("MEMORY.md", room.read("MEMORY.md").replace("8080", "8181"))
    clawgit("keep")
    clawgit("forget", "Ada likes tea.", "--yes")

    (item,) = clawgit("pending", "--kind", "question", "--json").data
    assert 'has changed since; proposed was "The port is 9090."' in item["text"]
    assert item["commands"] == [
        f'clawgit approve {item["id"]} "WHAT IS RIGHT"',
        f"clawgit reject {item['id']}",
    ]
    assert clawgit("reject", item["id"]).code == 0
    assert clawgit("pending", "--kind", "question", "--json").data == []


@pytest.mark.rest
def test_what_is_remembered_without_a_message_counts_as_the_agents_until_his_yes(clawgit, talk, room) -> None:
    """Mutants: it decays with the notes of the day; a host's word is the operator's; his no leaves it."""
    day, _ = talk.call("memory_add", text="My wedding day is 4 May 2019.")
    talk.call("memory_add", text="The wifi is called Harbour.")
    found, _ = talk.call("memory_search", query="wedding day")
    items = clawgit("pending", "--kind", "reading", "--json").data

    assert "memory/learned.md" in day
    assert "`clawgit approve m:" in day
    assert "(your agent's word, unverified)" in found
    assert [each["actor"] for each in items] == ["host", "host"]
    wedding, wifi = sorted(items, key=lambda each: "wifi" in each["text"])
    assert clawgit("approve", wedding["id"], actor="host").code == 1
    assert clawgit("approve", wedding["id"]).code == 0
    assert clawgit("reject", wifi["id"]).code == 0

    assert clawgit("pending", "--kind", "reading", "--json").data == []
    (left,) = clawgit("memory", "list", "--json").data
    assert left["trust"] == "operator"
    assert left["text"].endswith("My wedding day is 4 May 2019.")


@pytest.mark.rest
@pytest.mark.parametrize(
    ("text", "path", "external"),
    [
        pytest.param("Never book a flight before nine.", "MEMORY.md", False, id="an order"),
        pytest.param("Lesson: ask Ines first.", "memory/lessons.md", False, id="a lesson"),
        pytest.param("The wifi is called Harbour.", "MEMORY.md", True, id="in a turn that read from outside"),
    ],
)
def test_what_an_answer_offers_to_approve_is_pending_and_his_yes_makes_it_his(
    clawgit, running, room, text: str, path: str, external: bool
) -> None:
    """Mutants: an order without a message is asked of nobody; the queue passes over lessons, or what a tainted turn added; a yes leaves it beside memory."""
    added = running.client().ask("memory.add", workspace="main", actor="host", text=text, external=external)
    offered = " ".join(added["result"]["notes"]).partition("`clawgit approve ")[2].partition("`")[0]
    (item,) = clawgit("pending", "--kind", "reading", "--json").data

    assert item["id"] == offered
    assert text in item["text"]
    assert ("others wrote" in item["why"]) is external
    assert clawgit("approve", offered).code == 0
    assert clawgit("pending", "--kind", "reading", "--json").data == []
    (left,) = clawgit("memory", "list", "--json").data
    assert (left["trust"], left["path"], left["id"]) == ("operator", path, offered)
    assert clawgit("undo", room.head()).code == 0
    assert text not in room.read("MEMORY.md")


@pytest.mark.rest
def test_a_proposed_principle_waits_and_changes_nothing(talk, room) -> None:
    said, _ = talk.call("propose", text="I answer in short sentences.", reason="Asked for twice.")
    again, refused = talk.call("propose", text="Be kind.", reason="It is good.")
    standing, _ = talk.call("status")

    assert room.read("SOUL.md") == SOUL
    assert "the operator's approval" in said
    assert refused["isError"] is True
    assert "already" in again
    assert "propos" in standing


@pytest.mark.rest
def test_identity_is_read_and_its_changes_are_listed(talk, room) -> None:
    log, _ = talk.call("soul_log")
    commit = room.git("log", "-1", "--format=%H", "--", "SOUL.md")
    diff, _ = talk.call("soul_log", diff_of=commit)
    read = [
        {"jsonrpc": "2.0", "id": uri, "method": "resources/read", "params": {"uri": uri}}
        for uri in ("clawgit://soul", "clawgit://changelog", "clawgit://memory/2026-03-19")
    ]
    answers = talk.ask(*read)
    texts = {uri: answers[uri]["result"]["contents"][0]["text"] for uri in answers}

    assert commit[:12] in log
    assert "+ - Be kind." in diff
    assert texts["clawgit://soul"] == SOUL
    assert "# Changelog" in texts["clawgit://changelog"]
    assert len(texts) == len(read)


@pytest.mark.rest
def test_a_tool_that_the_service_has_not_says_what_to_do_instead(talk) -> None:
    text, result = talk.call("context", part="stable")
    assert result.get("isError") is not True or "memory_search" in text


def test_lines_that_are_no_messages_and_messages_that_want_no_answer_end_nothing(talk) -> None:
    proxy_output = io.BytesIO()
    ping = b'{"jsonrpc":"2.0","id":5,"method":"ping"}\n'
    said = io.BytesIO(b'nonsense\n\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n' + ping)

    Proxy(McpSession(), talk.speaker, os.environ, proxy_output).serve(said)

    first, second = (json.loads(line) for line in proxy_output.getvalue().splitlines())
    assert first["error"]["code"] == -32700
    assert second == {"jsonrpc": "2.0", "id": 5, "result": {}}


def test_what_was_read_is_answered_also_when_the_client_is_gone_and_the_service_slow(tmp_path) -> None:
    """Seen: nothing, and exit 0, where the service had to be started."""
    output = io.BytesIO()
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    (tmp_path / "clawgit").mkdir()
    request = {"id": 4, "method": "tools/call", "params": {"name": "why", "arguments": {"what": "tea"}}}
    line = json.dumps({"jsonrpc": "2.0"} | request).encode() + b"\n"
    with socket(AF_UNIX) as service:
        service.bind(str(tmp_path / "clawgit" / REQUESTS))
        service.listen()

        def answer() -> None:
            with service.accept()[0] as connection:
                connection.recv(1 << 16)
                time.sleep(1.7)
                connection.sendall(b'{"error": {"message": "No tea."}}\n')

        thread = threading.Thread(target=answer)
        thread.start()
        Proxy(McpSession("all"), {}, environment, output).serve(io.BytesIO(line))
        answered = output.getvalue()
        thread.join()

    assert json.loads(answered)["id"] == 4


@pytest.mark.rest
def test_many_calls_at_once_are_all_answered(talk) -> None:
    searches = [
        {
            "jsonrpc": "2.0",
            "id": n,
            "method": "tools/call",
            "params": {"name": "memory_search", "arguments": {"query": "tea"}},
        }
        for n in range(20)
    ]
    assert set(talk.ask(*searches)) == set(range(20))
    assert threading.active_count() < 20


@pytest.mark.rest
def test_the_program_serves_a_client_and_prints_nothing_else(running, room) -> None:
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "status", "arguments": {}}},
    ]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "clawgit", "-w", str(room.root), "mcp", "--tools=all"],
        capture_output=True,
        check=True,
        input=b"".join(json.dumps(each).encode() + b"\n" for each in asked),
    )
    first, second = (json.loads(line) for line in done.stdout.splitlines())

    assert first["result"]["serverInfo"]["name"] == "clawgit"
    assert str(room.root) in second["result"]["content"][0]["text"]


def test_without_a_workspace_the_program_says_what_to_name(clawgit, tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "clawgit", "mcp"],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        input=b"",
        text=False,
    )
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"name it with -w PATH" in done.stderr


@pytest.mark.rest
def test_of_a_service_that_cannot_start_the_client_is_told_why(room, own_home, monkeypatch) -> None:
    """Mutant: what the service says as it ends goes nowhere, and the client waits for a minute."""
    (own_home / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(own_home / "file"))

    said, _ = Talk({"workspace": str(room.root), "actor": "host"}).call("status")

    assert "it does not start: clawgit: " in said
    assert "Not a directory" in said


def test_a_service_that_does_not_run_is_started_for_the_client_and_stays(clawgit, room) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
    words = [sys.executable, "-P", "-m", "clawgit", "-w", str(room.root), "mcp", "--tools", "all"]
    try:
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            program.stdin.write(json.dumps(call).encode() + b"\n")
            program.stdin.flush()
            said = json.loads(program.stdout.readline())
            program.stdin.close()
        assert "The service runs" in said["result"]["content"][0]["text"]
        assert read_standing(folder_of(os.environ)) is not None
    finally:
        clawgit("down", environment={"HOME": os.environ["HOME"]})


@pytest.mark.rest
def test_a_client_of_a_group_gets_nothing_but_what_was_said_there(talk, room, monkeypatch) -> None:
    """Mutant: the session that the client runs in is not passed on."""
    room.change({"MEMORY.md": "- The rent is 1300 euros.\n"}, actor="operator")
    assert "1300" in talk.call("memory_search", query="rent")[0]
    monkeypatch.setenv("CLAWGIT_SESSION", "agent:main:telegram:group:-100")

    for name, arguments in (
        ("memory_search", {"query": "rent"}),
        ("memory_get", {"path": "MEMORY.md"}),
        ("context", {"query": "rent"}),
    ):
        assert "1300" not in talk.call(name, **arguments)[0]


@pytest.mark.rest
def test_a_model_is_told_when_it_has_asked_enough(talk) -> None:
    """Mutant: a client of MCP may ask without end."""
    done = [
        talk.call("propose", text=f"I keep promise {number}.", reason="He said so.") for number in range(11)
    ]

    assert [bool(result.get("isError")) for _, result in done] == [False] * 10 + [True]
    assert "wait for the operator already" in done[-1][0]


@pytest.mark.rest
def test_a_line_goes_where_the_operators_message_asks_for_it_and_else_he_is_asked(
    clawgit, running, talk, room
) -> None:
    """Mutants: a host takes out his words by itself; any message is an order; its own word stays."""
    text = "# Memory\n\n- Petzold comes on 16 March.\n- The port is 8080.\n"
    room.change({"MEMORY.md": text}, actor="operator")
    clawgit("chat", "add", "No, Petzold comes on 17 or 18 March.")
    assert "Petzold" in room.read("CORRECTIONS.md")
    clawgit("session", "end")
    assert "user: No, Petzold comes" in room.read("memory/2026-03-19-petzold-march.md")
    clawgit("pause")
    order = of_the_operator(running, "Please forget that Petzold comes.")
    talk.call("memory_add", text="The oven is from Lodz.")

    gone, _ = talk.call("memory_forget", what="Petzold comes on 16 March.", evidence=order)
    other, _ = talk.call("memory_forget", what="The port is 8080.", evidence=order)
    asked, _ = talk.call("memory_forget", what="MEMORY.md:3")
    own, _ = talk.call("memory_forget", what="The oven is from Lodz.")

    assert gone.startswith("Forgotten: MEMORY.md:3 (m:")
    assert "Petzold comes on 16 March. (`clawgit undo " in gone
    assert "needs the operator's approval: proposal p-" in other
    assert asked == other
    assert "Forgotten: memory/learned.md:5" in own
    assert "Petzold" not in room.read("MEMORY.md") + room.read("CORRECTIONS.md")
    assert "8080" in room.read("MEMORY.md")
    assert order in room.git("log", "--format=%B", "-3", "--", "MEMORY.md")
    (item,) = clawgit("pending", "--json").data
    clawgit("approve", item["id"])
    assert "8080" not in room.read("MEMORY.md")


@pytest.mark.rest
def test_an_order_that_says_more_means_several_lines_or_is_older_is_a_question(
    clawgit, running, talk, room
) -> None:
    """Seen: each of these was removed on his trust. Mutants: any sure line goes; what he said since counts for nothing; he is asked about a line that is gone."""
    port, oven = "The deploy port is 8080.", "The oven is from Lodz."
    text = f"# Memory\n\n- {port}\n- The staging port is 8081.\n- {oven}\n- Rex bites.\n- Kasia earns 14 euros an hour.\n"
    room.change({"MEMORY.md": text}, actor="operator")
    clawgit("pause")
    orders = {
        "Forget that the oven is from Lodz, no wait, keep it.": oven,
        "Forget the port.": port,
        "Forget that Rex bites, he sleeps.": "Rex bites.",
        "Please forget that Kasia earns 14 euros.": "Kasia earns 14 euros an hour.",
    }
    cited = {order: of_the_operator(running, order) for order in orders}
    of_the_operator(running, "No, I was wrong, keep what Kasia earns.")

    for order, line in orders.items():
        asked, _ = talk.call("memory_forget", what=line, evidence=cited[order])
        assert "needs the operator's approval" in asked, order
    assert room.read("MEMORY.md").count("\n- ") == len(orders) + 1

    (item,) = [each for each in clawgit("pending", "--json").data if "Rex" in str(each["diff"])]
    clawgit("forget", oven, "--yes")
    assert item["id"] in str(clawgit("pending", "--json").data)
    clawgit("forget", "Rex bites.", "--yes")
    assert item["id"] not in str(clawgit("pending", "--json").data)


@pytest.mark.rest
def test_an_order_is_no_ground_for_what_was_kept_behind_it(clawgit, running, talk, room) -> None:
    """Seen: the market, remembered once more, was removed by the order of before."""
    room.change({"MEMORY.md": "# Memory\n\n- The market is on Saturdays.\n"}, actor="operator")
    clawgit("pause")
    order = of_the_operator(running, "Forget that the market is on Saturdays.")
    assert "market" not in room.read("MEMORY.md")
    later = {"CLAWGIT_NOW": "2099-01-01T00:00:00+00:00"}
    clawgit("remember", "The market is on Saturdays.", environment=later)

    asked, _ = talk.call("memory_forget", what="The market is on Saturdays.", evidence=order)

    assert "needs the operator's approval" in asked
