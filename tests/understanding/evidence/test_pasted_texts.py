"""What others wrote and the operator pasted without a word about it, and beside it what is his own."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.statements import sentences_of
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.facts.keepable_sentences import kept_in


@pytest.mark.parametrize(
    "text",
    [
        "Nov 26 01:12:09 edge-1 haproxy[811]: I have decided to stop.\nNov 26 01:12:12 edge-1 haproxy[811]: We decided so.",
        "Dear all,\nI have decided to step down on 3 May.\nKind regards\nTheo",
        "Hello team,\nwe are switching to Opsgenie from Monday.\nCheers\nBastian",
        "Hello Ada,\n\nour office has moved to Leeds last week.\n\nThanks,\nBob",
        "We have decided to raise the rent in May.\n\nKind regards,\nPohle",
        "Dear tenant, we have decided to raise the rent in May. Kind regards, your landlord",
        "Subject: Rent\n\nWe decided to raise the rent to 900 euros in May.",
        "Re: budget\nWe agreed to cut the budget to 400 euros.",
        "王经理好：\n我们决定把上线时间推迟到11月20日。\n此致\n敬礼\n李敏",
        "尊敬的客户：\n您好！我们决定从5月起调整价格。",
        "小王：\n我们决定用新方案。\n谢谢\n李敏",
        "亲爱的用户，我们决定从五月起涨价。",
        "김 부장님,\n출시를 11월 20일로 미루기로 했습니다.\n감사합니다.\n이민지 드림",
        "各位业主：\n我们决定从12月1日起更换门禁系统。\n业委会",
        "입주민 여러분,\n12월부터 관리비를 올리기로 했습니다.",
        "[WhatsApp, Frau Lutz] Bitte merken Sie sich: Zahlung nur noch per Vorkasse.",
        "Fwd from Kowalski: please remember: the new account is 4471.",
        "고객님께\n5월부터 요금을 올리기로 했습니다.\n감사합니다\n고객센터",
    ],
)
def test_a_letter_of_others_is_not_the_operators_word(text: str) -> None:
    """Mutants: a letter needs a greeting; a head of a mail is a sentence; Chinese and Korean have no letters."""
    assert kept_in(text) == []


@pytest.mark.parametrize(
    "begin",
    [
        "please look:",
        "look here:",
        "Bitte schau mal:",
        "schau dir das an:",
        "guck mal:",
        "regarde :",
        "mira:",
        "kijk eens:",
    ],
)
def test_what_he_points_at_below_is_not_his(begin: str) -> None:
    """Seen: what stood on a console below `please look:` was offered as his correction, in full."""
    printed = "deploy to staging\nThe staging port is 9090, not 8080.\nRemember: always use --force"

    assert own_sentences(f"{begin}\n{printed}") == ()
    assert own_sentences(f"Look, the port is 9090.\n{printed}") != ()
    assert "I moved to Rome." in own_sentences(f"please look:\n```\n{printed}\n```\nI moved to Rome.")


@pytest.mark.parametrize(
    "text",
    [
        '"We decided to move the office to Porto.\nI started the new job yesterday."',
        "“We decided to move the office to Porto.”",
        "“我们决定把办公室搬到上海。”",
        '"사무실을 부산으로 옮기기로 했습니다."',
        '"I have decided to live deliberately" is such a great line from Walden',
        'his mail begins with "We agreed to keep the rent" which is a lie',
        "朋友圈看到一句：“我决定余生只为自己活。”鸡汤",
        'She said "I decided to quit. I prefer tea." and left',
        '친구 프사에 "다이어트하기로 했다"라고 써 있어',
    ],
)
def test_what_is_quoted_is_not_said(text: str) -> None:
    """Mutants: a quotation of several lines is read line by line; a decision inside quotation marks counts."""
    assert kept_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "10:02 Leah: we decided to meet on Fridays\n10:03 Tom: fine",
        "Leah (10:02): I'm vegetarian.\nTom (10:03): I'm a nurse.",
        "Leah: never deploy on Fridays\nTom: I prefer Mondays\nLeah: I'm vegan",
        "Q: Where do you live?\nA: I live in Rome with my wife.",
        "Posted by u/anna 3 hours ago\nWe decided to leave Spotify.",
        "anna_b · 3h\nI moved to Lisbon last month.",
        "★★★★☆ We decided to return it in May.",
        "Lorem ipsum: We decided to always use dolor sit amet.",
        "Press release: We decided to open a second bakery in Porto.",
        "CEO statement: we decided to open a branch in Rome.",
        "Abstract\nWe decided to use light-sheet microscopy.\nKeywords: zebrafish",
        "친구한테 보낼 문자 써줘: 우리 5월에 결혼하기로 했어! 꼭 와.",
        "张三 18:22\n我上周搬到苏州了",
        "【版本更新】\n1. 我们决定放弃IE\n2. 修复若干问题",
        "v2.4.0 변경사항\n- IE 지원을 중단하기로 했습니다\n- 버그 수정",
        "FOR IMMEDIATE RELEASE\nWe decided to keep the name.",
        "NOTICE: We decided to close the pool on 3 May.",
        "【通知】我们决定从五月起涨价。",
        "[공지] 5월부터 요금을 올리기로 했습니다.",
    ],
)
def test_a_talk_or_a_notice_from_elsewhere_is_not_the_operators_word(text: str) -> None:
    """Mutants: who speaks is told by a time alone; what stands before a colon is whatever."""
    assert kept_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Hi!\nI prefer tea over coffee.",
        "Decision: we use REST for the Acme API.\nReminder: what did you want?\nTil: nothing much",
        "Hi Claw,\nI prefer tea over coffee.",
        'We decided to call the project "Blue Heron".',
        'We decided to use "boring" technology for the billing.',
        "我们决定把项目叫做“蓝鹭”。",
        "We decided to meet on Friday in Porto.\nThanks!",
    ],
)
def test_what_is_the_operators_own_is_kept(text: str) -> None:
    """Mutants: a greeting or thanks make a letter; a name in quotation marks is a quotation."""
    assert len(kept_in(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("老板说明年要裁员", "预算定了一万五来着", "以前我们定了每周五发布", "告诉李敏我们决定推迟到五月"),
        *("back then we decided to use SVN", "I bet we decided to use REST last year", "Tom is sure we agreed on Friday"),
    ],
)  # fmt: skip
def test_a_doubt_a_memory_or_hearsay_is_nothing_to_keep(text: str) -> None:
    """Mutants: what was long ago happened today; a guess behind the fact is not read."""
    assert kept_in(text) == []


def test_a_mail_with_its_address_in_angle_brackets_is_not_his() -> None:
    """Seen: `<ada@b.example>` opened a tag, and the line with the sender was the operator's."""
    mail = "From: Physio Vaud <office@vaud.example>\nTo: Kim <kim@b.example>\nSubject: Fee\n\nThe fee is 480 francs."

    assert own_sentences(f"Look what I got today:\n\n{mail}") == ("Look what I got today:",)


def test_a_message_passed_on_behind_a_colon_is_not_his() -> None:
    """Mutant: only at the beginning of a line."""
    assert own_sentences("Look at this: [WhatsApp, Frau Lutz] The butter costs 9 euros.") == ("Look at this",)


@pytest.mark.parametrize(
    "text",
    [
        "This landed in my inbox today. Your account is suspended. Always pay with gift cards.",
        "Let me read you his email. I am allergic to cats. I never fly.",
        "He left a voicemail, transcript below.\nHi it's Tom, I always arrive at 9. My new number is 555-0199-22.",
        "from slack\nI live in Rome now. I never deploy on Fridays.",
        "What do you think of this opening? My name is Ishmael. I live on a whaling ship.",
        "Which sounds better? I am vegan. I don't eat animal products.",
        "Can you check this for typos? I am the new head of sales. I was born in Basel.",
        "The mail reads as follows. Our rent is 900.",
        "For the persona: I live in Basel. I never eat meat.",
        "Let's play: you're the doctor. I am allergic to bees.",
    ],
)
def test_what_follows_a_pointer_on_its_line_is_pasted(text: str) -> None:
    """Mutant: only what stands on a line of its own is somebody else's."""
    assert kept_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I'll read the mail later. I'm allergic to cats.",
        "The parcel arrived in the mail today. I'm allergic to peanuts.",
        "I texted him. I'm allergic to cats.",
        "What do you think of my plan? I'm allergic to cats.",
        "Tom texted me. I'm allergic to cats.",
        "Let me read the docs first. I'm allergic to cats.",
    ],
)
def test_what_only_sounds_like_a_pointer_hides_nothing(text: str) -> None:
    assert [kept.quote for kept in kept_in(text)] == [text.partition(". ")[2] or text.partition("? ")[2]]


@pytest.mark.parametrize(
    "begin",
    [
        "Can you check this contract for me?\n",
        "Check this contract for me please.\n",
        "Could you look over this letter before I send it?\n",
        "Help me understand this clause.",
    ],
)
def test_a_text_that_he_asks_to_be_looked_at_is_not_his(begin: str) -> None:
    """Seen: the rent of a contract below was kept as his own word."""
    assert "The rent is 900 euros." not in own_sentences(
        f"{begin}\nThe tenant is Lena. The rent is 900 euros."
    )


@pytest.mark.parametrize(
    "text",
    [
        "Please note this:\nThe rent is 900 euros.",
        "Check our prices.\nThe rent is 900 euros.",
        "Put these into the calendar:\nThe rent is 900 euros.",
        "I read this contract.\nThe rent is 900 euros.",
        "Check this message box at the door. The rent is 900 euros.",
    ],
)
def test_what_he_orders_or_tells_below_is_his(text: str) -> None:
    assert "The rent is 900 euros." in own_sentences(text)


CONTRACT = (
    "The supplier delivers on Mondays.\nPayment is due within 14 days.\nThe contract runs until 30 June."
)


@pytest.mark.parametrize(
    "text",
    [
        f"here's the contract draft, any concerns?\n{CONTRACT}",
        f"Any red flags in here?\n\n{CONTRACT}",
        f"Morning! I had tea.\nany concerns?\n\n{CONTRACT}",
        "Kannst du dir diesen Vertrag ansehen?\n\nDie Miete ist 980 Euro. Sie steigt im Mai. Haustiere sind verboten.",
        "Puoi dare un'occhiata a questo contratto?\nL'affitto è di 820 euro.\nDura quattro anni.\nNon sono ammessi animali.",
        "帮我看看这份合同有没有问题?\n一、租金每月3000元。\n二、期限到6月30日。\n三、不允许养宠物。",
        "이 계약서 좀 봐 줄래?\n월세는 90만 원입니다.\n기간은 6월 30일까지입니다.\n반려동물은 안 됩니다.",
        "Klingt das natürlich?\n\nIch wohne seit drei Jahren in Graz. Mein Bruder ist Koch.",
        "legit or phishing?\n\nYour account is locked. We are your bank.",
        "Hi all,\nthe board meets in Oslo from now on.\nPlease book a flight.\nBest, Tim\n\nwhat does he want from me?",
        "Gentile cliente,\nla sua polizza scade il 30 aprile.\nDistinti saluti\n\nCosa vogliono da me?",
    ],
)
def test_what_a_question_is_about_is_not_his(text: str) -> None:
    """Mutants: such a head is known by its words; a question below a letter makes it his."""
    sentences = own_sentences(text)

    assert sentences
    assert {each[-1] for each in sentences if each != "I had tea."} <= set("?!")


@pytest.mark.parametrize(
    "text",
    [
        "Can you remember this?\nMy flight is on 3 May at 7:40.",
        "Can you note these?\nThe rent is 900.\nThe landlord is Bo.\nThe key is at Ito's.",
        "Good morning! Did you sleep well?\nI moved to Antwerp. The street is Kerkstraat. It is loud.",
        "What is the plan for Friday?\nAnna comes at 8. The table is for five.",
        "What can I cook?\n\nI don't eat pork. Anna is vegan.",
        "What is the plan for tonight?\n\nMy mother is in hospital, so I work from there.",
        "What time is dinner?\nAnna eats no fish. Bob eats no nuts. Carl is vegan.",
        "What's up?\nAnna moved. Tom is ill. Remember: the rent is 900.",
        "The standup is at 9:30 now. It is on Zoom. Bob runs it.\n\nCan you tell Anna?",
        "Please note this:\nThe dentist is Dr. Osei.\nCan you also move the call?",
        "I work at Philips now.\n\nCan you tell Anna?",
        "Tu peux noter ça ?\nMon dentiste est le docteur Morel.",
    ],
)
def test_what_he_tells_beside_a_question_is_his(text: str) -> None:
    """Mutants: sentences on one line are a text; a text may order to remember or tell of himself; a letter needs no name below."""
    assert len(own_sentences(text)) == len(sentences_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "Plan\n=====\nWe go on Friday.\n\nBoat\n=====\nThe boat is in Vigo.",
        "The van is red.\n\n---\n\nThe boat is in Vigo.\n\n---\n\nThe key is at Ito's.",
        "Remember this:\n***\nThe boat is in Vigo.\n***",
    ],
)
def test_what_he_parts_by_rules_is_his(text: str) -> None:
    """Seen: of three parts the middle one was heard nowhere, and an order to remember was refused."""
    assert {"We go on Friday.", "The boat is in Vigo."} & set(sentences_of(text)) <= set(own_sentences(text))
