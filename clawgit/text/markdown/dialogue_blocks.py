"""A talk inside a text, recognised by its turns alone: a name returns after another one, and says more than a value."""

from __future__ import annotations

LONGEST, MOST_WORDS = 24, 3  # of a name
FEWEST_TURNS = 3
FEWEST_WORDS = 3  # in one turn at least: `host: db1` and `port: 5432` are not a talk
CLOSE = 3  # lines between turns: a turn may continue, or have an empty line behind it
_COLONS = (":", "：")
_CALLED = ("?", "!")
_FIRST_CJK, _LAST_CJK = "\u3040", "\ud7a3"
_BEFORE_A_NAME = " \t-*•<@"
# Labels before a colon that are not speakers.
_LABELS = """
    decision, decisions, final decision, final decisions, team decision, team decisions, decided, lesson, lessons, lesson learned, lesson learnt,
    lessons learned, lessons learnt, til, gotcha, pitfall, important, note, notes, nb, fyi, reminder, fact, facts, key fact, remember, update, updates,
    news, status, summary, plan, todo, context, background, problem, cause, reason, result, fix, next, today, yesterday, tomorrow, mon, tue, wed, thu, fri,
    sat, sun, monday, tuesday, wednesday, thursday, friday, saturday, sunday, backend, frontend, pro, con, pros, cons, ps, rationale, evidence,
    expected, actual, before, after, old, new, wrong, right, input, output, done, blocker, blockers, also, you said, i said, i meant,
    决定, 決定, 结论, 結論, 教训, 教訓, 经验, 經驗, 注意, 备注, 備註, 重要, 提醒, 更新, 计划, 計劃, 待办, 问题, 原因, 结果, 今天, 昨天, 明天,
    周一, 周二, 周三, 周四, 周五, 周六, 周日, 优点, 缺点, 之前, 之后, 월요일, 화요일, 수요일, 목요일, 금요일, 토요일, 일요일, 장점, 단점,
    결정, 결정 사항, 교훈, 배운 점, 메모, 참고, 중요, 계획, 할 일, 문제, 원인, 결과, 오늘, 어제, 내일
"""
LABELS = frozenset(map(str.strip, _LABELS.split(",")))
_HIMSELF = frozenset(("me", "i", "myself", "我", "나", "저"))  # a writer copying his own words may mean them


def label_of(line: str) -> str:
    """Return the text before a line's first colon, in small letters, if it is short and text follows."""
    bare = line.lstrip(_BEFORE_A_NAME)
    at = min((at for colon in _COLONS if (at := bare.find(colon, 0, LONGEST + 1)) > 0), default=0)
    label, value = bare[:at].rstrip("> \t").casefold(), bare[at + 1 :]
    is_name = label[:1].isalpha() and len(label.split()) <= MOST_WORDS and not any(map(str.isdigit, label))
    return label if is_name and value.strip() and not value.startswith("//") else ""


def talk_begin(text: str) -> int | None:
    """Return where a talk begins in a text, None without one."""
    if sum(map(text.count, _COLONS)) < FEWEST_TURNS:
        return None
    begin = at = last = 0  # of the talk and of the line, and the number of the last turn's line
    speakers: list[str] = []
    speaks_again = is_speech = False
    for number, line in enumerate(text.split("\n")):
        who = label_of(line)
        if who and who not in LABELS and who not in _HIMSELF:
            if not speakers or number - last > CLOSE:
                begin, speakers = at, []
                speaks_again = is_speech = False
            is_speech = is_speech or _is_speech(line)
            speaks_again = speaks_again or (len(speakers) > 1 and who == speakers[-2] != speakers[-1])
            if speaks_again and is_speech:
                return begin
            speakers.append(who)
            last = number
        at += len(line) + 1
    return None


def _is_speech(line: str) -> bool:
    """Say whether more than a value follows a name: some words, a question, or Chinese or Korean."""
    speech = max((line.partition(colon)[2].strip() for colon in _COLONS), key=len)
    is_cjk = any(_FIRST_CJK <= letter <= _LAST_CJK for letter in speech)
    return is_cjk or len(speech.split()) >= FEWEST_WORDS or speech.endswith(_CALLED)
