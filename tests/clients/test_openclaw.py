"""OpenClaw itself, connected by `clawgit connect`, with a fake model provider and a fake Telegram: what is kept, and what its model reads.

One Gateway serves all tests of a version, in their order; the last two leave it, and go on without a plugin.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
from typing import TYPE_CHECKING, Any

import pytest
from openclaw_host import GROUP, OLDER, STRANGER, OpenClawHost, installed_versions, openclaw_host
from running_service import until

from clawgit.workspace.layout import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

RENT = "The rent of the flat is due on the 1st."
QUESTION = "When is the rent of the flat due?"
MEETING = "When is the meeting?"
BEGINNING = "\\nToday is "  # what a conversation's first message is told
FORWARDED = {
    "type": "user",
    "sender_user": {"id": 999, "is_bot": False, "first_name": "Mallory"},
    "date": 1700000000,
}
MEMORY_FILE = re.compile(r"\.clawgit/MEMORY\.md.*?</clawgit_context>")
MOMENTS = {
    "first turn": QUESTION,
    "ninth turn": "Run it.",
    "/new": "Good morning.",
    "a turn later": "Much was read.",
    "/compact": "Behind the compaction.",
    "service hangs": "It hangs.",
    "service hangs, /new": "It hangs in a new conversation.",
    "service absent, /new": "Nobody listens now.",
    "service restarted": "Somebody listens again.",
}
BEFORE: dict[str, Any] = {}


@pytest.fixture(scope="module", params=installed_versions())
def host(request, tmp_path_factory) -> Iterator[OpenClawHost]:
    """Return an OpenClaw that is connected, its Gateway running beside clawgit's service."""
    with openclaw_host(request.param, tmp_path_factory.mktemp("openclaw")) as host:
        BEFORE[host.version] = host.settings
        host.clawgit("memory", "add", RENT, "--to", "MEMORY.md")
        host.clawgit("memory", "add", "The meeting is on Wednesday.", "--to", "MEMORY.md")
        host.clawgit("memory", "add", "The dentist is on Friday.", "--to", "MEMORY.md")
        host.clawgit("memory", "add", "The gym is on Tuesday.", "--to", "MEMORY.md")
        assert host.clawgit("connect", "openclaw", "--yes").code == 0
        host.wait_longer()
        host.start_service()
        host.start_gateway()
        yield host


def use(tool: str, **arguments: object) -> str:
    """Return words on which the fake model calls a tool."""
    return f"USE:{tool}:{json.dumps(arguments)}END"


def is_of_person(message: dict) -> bool:
    """OpenClaw puts a message of its own behind a person's, in the user's role, too."""
    return message["role"] == "user" and "BEGIN_OPENCLAW_INTERNAL" not in json.dumps(message)


def turns_of(host: OpenClawHost, words: str) -> list[list[dict]]:
    """Return for each request of the turn with these words its messages from the person's on, once there is one; the first is the system's."""
    return until(lambda: list(_turns_now(host, words)))


def _turns_now(host: OpenClawHost, words: str) -> Iterator[list[dict]]:
    for messages in (each["messages"] for each in host.asked()):
        last = max((at for at, message in enumerate(messages) if is_of_person(message)), default=0)
        if words in json.dumps(messages[last]):
            yield [messages[0], *messages[last:]]


def told(host: OpenClawHost, words: str) -> str:
    """Return what was injected into the first request of a turn."""
    system, mine = turns_of(host, words)[0][:2]
    both = f"{json.dumps(system['content'])}\n{json.dumps(mine['content'])}"
    return "\n".join(re.findall(r"<clawgit_context>.*?</clawgit_context>", both))


def requests_without_context(host: OpenClawHost, words: str) -> int:
    """Return how many requests of a turn have nothing of memory beside MEMORY.md."""
    prompts = [MEMORY_FILE.sub("", json.dumps(turn[:2])) for turn in turns_of(host, words)]
    return sum("<clawgit_context>" not in each for each in prompts)


def result_of(host: OpenClawHost, words: str) -> str:
    """Return what the tool answered that was called on the words."""
    results = lambda: [each for turn in turns_of(host, words) for each in turn if each["role"] == "tool"]  # noqa: E731
    return json.dumps(until(results)[-1]["content"])


def trust_of(host: OpenClawHost, words: str) -> list[str]:
    """Return how far each captured message of a user's is trusted that holds the words, once there is one."""
    return until(lambda: [trust for role, trust, _ in host.kept(words) if role == "user"])


def compact(host: OpenClawHost) -> None:
    """Have the conversation compacted, and wait until it is; 2026.5 does it and says nothing."""
    if host.version == OLDER[-1]:
        host.say_only("/compact")
        until(lambda: "context checkpoint summary" in json.dumps(host.asked()[-1]["messages"]))
    else:
        assert re.search("Compacted|Compaction finished", host.say("/compact")[-1]["text"])


def test_the_model_reads_what_memory_knows(host) -> None:
    host.say(QUESTION)

    assert RENT in told(host, QUESTION)
    assert trust_of(host, QUESTION) == ["operator"]


def test_a_stranger_in_the_owners_session_is_told_nothing_and_stays_external(host) -> None:
    host.say(f"I like cake. {use('memory_search', query='rent of the flat')}", who=STRANGER)

    assert told(host, "I like cake.") == ""
    assert "Memory is for its owner" in result_of(host, "I like cake.")
    assert trust_of(host, "I like cake.") == ["external"]


def test_in_a_group_nobody_else_is_shown_memory_and_nothing_is_kept(host) -> None:
    search = use("memory_search", query="rent of the flat")
    host.say(f"Group talk. {search}", who=STRANGER, chat=GROUP)
    host.say("Behind the group.")

    assert RENT not in told(host, "Group talk.")
    assert "Memory is for its owner" in result_of(host, "Group talk.")
    assert trust_of(host, "Behind the group.") == ["operator"]
    assert host.kept("Group talk.") == []


def test_a_correction_by_the_models_tool_holds_from_the_next_turn_on(host) -> None:
    right = "The meeting is on Thursday."
    correct = use("memory_correct", wrong="The meeting is on Wednesday.", right=right)
    host.say(f"No, the meeting is on Thursday. {correct}")
    host.say(MEETING)

    assert "applied" in result_of(host, "No, the meeting is on Thursday.")
    assert right in told(host, MEETING)


def test_what_the_owner_corrects_is_told_in_that_turn_and_taken_back_when_he_says_so(host) -> None:
    words = "No, the gym is on Monday, not on Tuesday."
    host.say(words)
    host.say("Undo that.")
    until(lambda: "The gym is on Tuesday." in (host.workspace / "MEMORY.md").read_text())

    assert 'memory, and it says so now: MEMORY.md \\"The gym is on Monday.\\"' in told(host, words)


def test_a_correction_that_clawgits_agent_reads_with_openclaws_model_holds(host) -> None:
    assert host.clawgit("config", "set", "model", "host").code == 0
    entry = re.search(r"Friday\..*<!-- (m:\w+)", (host.workspace / "MEMORY.md").read_text())
    words = "no, the dentist moved, it's Monday now"
    wanted = {"entry": entry[1], "statement": "The dentist is on Monday.", "quote": words}
    host.model_says(words, json.dumps({"corrections": [wanted]}))
    host.say(words)
    until(lambda: "The dentist is on Monday." in (host.workspace / "MEMORY.md").read_text())
    host.say("When is the dentist?")

    assert "The dentist is on Monday." in told(host, "When is the dentist?")
    host.clawgit("config", "set", "model", "none")


def test_what_the_owner_forwards_is_not_his_own_word(host) -> None:
    host.say("The rent is 900 euros.", more={"forward_origin": FORWARDED})

    assert trust_of(host, "The rent is 900 euros.") == ["external"]


def test_what_runs_in_a_turn_is_the_hosts(host) -> None:
    host.say(f"Run it. {use('exec', command='env | grep CLAWGIT; echo hello >> memory/a.md')}")
    until(lambda: (host.workspace / "memory" / "a.md").exists() and not host.git("status", "--porcelain"))

    assert "CLAWGIT_ACTOR=host" in result_of(host, "Run it.")
    actors = host.git("log", "--format=%(trailers:key=Clawgit-Actor,valueonly)", "--", "memory/a.md")
    assert actors == "host"


def test_after_new_the_conversation_begins_again_and_the_one_before_is_a_note(host) -> None:
    host.say("/new")
    host.say("Good morning.")
    until(lambda: "session: " in host.git("log", "--format=%s"))

    assert BEGINNING in told(host, "Good morning.")
    assert BEGINNING not in told(host, MEETING)
    assert host.kept("/new") == []


def test_a_flush_goes_into_the_note_of_the_day_and_is_nobodys_talk(host) -> None:
    # 2026.5 compacts at once where what was read is too much, and flushes where the next message makes it so
    read, more = (39_900, " And so on." * 100) if host.version == OLDER[-1] else (42_000, "")
    host.say(f"Much was read. TOKENS:{read}")
    host.say(f"Behind the flush.{more}")
    flush = "The conversation is about to be compacted."
    asked = until(lambda: [each["messages"] for each in host.asked() if flush in json.dumps(each)])

    assert "memory/20" in json.dumps(asked[0])
    assert "<clawgit_context>" not in json.dumps(asked[0][-2:])
    assert trust_of(host, "Behind the flush.") == ["operator"]
    assert host.kept(flush) == host.kept("runtime event") == []


def test_after_a_compaction_the_conversation_begins_again(host) -> None:
    compact(host)
    host.say("Behind the compaction.")

    assert BEGINNING in told(host, "Behind the compaction.")
    assert host.kept("/compact") == []


def test_sub_agents_jobs_and_heartbeats_are_nobodys_talk(host) -> None:
    host.say(f"Spawn. {use('sessions_spawn', task='Say hello.')}")
    job = ("--name", "zebra", "--at", "1s", "--session", "isolated", "--message", "Say the word zebra.")
    host.run("cron", "add", *job)
    host.run("system", "event", "--text", "Look around now.", "--mode", "now")
    until(lambda: "Say the word zebra." in json.dumps(host.asked()))
    until(lambda: re.search("heartbeat", json.dumps([each["messages"][1:] for each in host.asked()])))
    host.say("Behind all these.")

    assert trust_of(host, "Behind all these.") == ["operator"]
    assert told(host, "Say the word zebra.") == ""
    texts = " ".join(text for _, _, text in host.kept())
    assert not re.search("zebra|heartbeat|Subagent|Inter-session|Say hello.*Say hello", texts)


def test_what_comes_by_the_command_line_is_external(host) -> None:
    host.run("agent", "--agent", "main", "--message", "From the command line.")

    assert trust_of(host, "From the command line.") == ["external"]


def test_while_the_service_hangs_the_reply_comes_and_what_was_said_is_kept_later(host) -> None:
    assert host.service is not None
    host.service.send_signal(signal.SIGSTOP)
    sent = host.say("It hangs.")
    host.say("/new")
    host.say("It hangs in a new conversation.")
    host.service.send_signal(signal.SIGCONT)

    assert sent[-1]["text"] == "Understood."
    assert trust_of(host, "It hangs in a new conversation.") == ["operator"]


def test_without_the_service_the_reply_comes_and_what_was_said_is_kept_later(host) -> None:
    host.kill_service()
    host.say("/new")
    sent = host.say("Nobody listens now.")
    until(lambda: "Nobody listens now." in host.waiting)
    host.start_service()
    host.say("Somebody listens again.")

    assert sent[-1]["text"] == "Understood."
    assert trust_of(host, "Nobody listens now.") == ["operator"]
    assert trust_of(host, "Somebody listens again.") == ["operator"]
    until(lambda: not [*host.spool.parent.glob(f"{host.spool.name}*")])


@pytest.mark.parametrize("moment", [*MOMENTS])
def test_no_request_is_without_context(host, moment: str) -> None:
    """Mutant: a conversation that begins while the service is away begins with nothing."""
    assert requests_without_context(host, MOMENTS[moment]) == 0


def test_each_message_was_kept_once_and_leaving_puts_every_setting_back(host) -> None:
    host.end_gateway()
    texts = [text for role, _, text in host.kept() if role == "user"]
    connected = host.settings
    left = host.clawgit("disconnect", "openclaw")
    before, after = BEFORE[host.version], host.settings

    assert len(texts) == len(set(texts))
    assert left.code == 0
    assert connected["plugins"]["slots"]["memory"] == "clawgit-memory"
    assert {name: value for name, value in after.items() if name in before} == before
    assert "clawgit-memory" not in json.dumps(after)
    assert "memory-core" not in json.dumps(after)


def test_without_a_plugin_a_hook_brings_and_tells_the_same(host) -> None:
    folder = host.home / ".openclaw" / "hooks" / "clawgit"
    shutil.copytree(data_folder("hooks") / "openclaw" / "plugin", folder)
    hooks = {"internal": {"enabled": True, "entries": {"clawgit": {"enabled": True}}}}
    host.config.write_text(json.dumps(host.settings | {"hooks": hooks}))
    assert host.clawgit("connect", "openclaw", "--no-plugin").code == 0
    host.start_gateway()
    host.say("/new")
    questions = [
        "When is the rent due, I wonder?",
        "When is the rent due, please?",
        "When is it due, the rent?",
    ]
    for question in questions:  # a busy service answers a prompt late, and the next one in time
        host.say(question)
        if RENT in told(host, question):
            break
    host.end_gateway()

    assert RENT in told(host, question)
    assert trust_of(host, question) == ["operator"]
