"""Facts of three words, as memory says them; and beside them what only looks like one."""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.memory.entries.entries import Tag
from clawgit.understanding.facts.first_person import USER, as_remembered
from clawgit.understanding.facts.keepable_sentences import Voice, kept_in

ON = date(2026, 3, 18)


def remembered(text: str, *ours: str) -> list[tuple[str, Tag]]:
    kept = kept_in(text, Voice.OPERATOR, ours)
    return [(as_remembered(each.statement, USER, on=ON), each.tag) for each in kept]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I prefer tea.", "User prefers tea."),
        ("I'm vegan.", "User is vegan."),
        ("My wife is Ada.", "User's wife is Ada."),
        ("I hate mornings.", "User hates mornings."),
        ("I have two kids.", "User has two kids."),
        ("I'm a nurse.", "User is a nurse."),
        ("I don't eat pork.", "User does not eat pork."),
        ("I never drink coffee after noon.", "User never drinks coffee after noon."),
        ("I no longer eat fish.", "User no longer eats fish."),
        ("I can't stand phone calls.", "User cannot stand phone calls."),
        ("My blood type is 0 negative.", "User's blood type is 0 negative."),
        ("I take metformin every morning.", "User takes metformin every morning."),
        ("I'm vegan :)", "User is vegan :)"),
        ("call me Sam", "User wants to be called Sam"),
        ("My son is allergic to penicillin.", "User's son is allergic to penicillin."),
        ("Morning! I'm vegan, so no cheese. Can you plan dinner?", "User is vegan, so no cheese."),
        ("i've got a cat called mochi", "User has got a cat called mochi"),
        ("My dog is a beagle called Rex.", "User's dog is a beagle called Rex."),
        ("My cat is fourteen.", "User's cat is fourteen."),
        ("I grew up in Trondheim.", "User grew up in Trondheim."),
        ("I'm terrified of flying.", "User is terrified of flying."),
        ("My car is a Fiat Panda from 2011.", "User's car is a Fiat Panda from 2011."),
        ("I play the cello on Thursdays.", "User plays the cello on Thursdays."),
        ("My therapist is Dr. Lund.", "User's therapist is Dr. Lund."),
        ("The museum is closed on Mondays.", "The museum is closed on Mondays."),
        ("Quick context: I run a small bakery in Ghent.", "User runs a small bakery in Ghent."),
        ("my mobile is 0470 12 34 56", "User's mobile is 0470 12 34 56"),
        ("we close on Mondays", 'User: "we close on Mondays"'),
        ("Marta owns the billing module.", "Marta owns the billing module."),
        ("我喜欢喝茶。", "用户喜欢喝茶。"),
        ("我吃素。", "用户吃素。"),
        ("我妻子叫爱达。", "用户妻子叫爱达。"),
        ("我住在杭州。", "用户住在杭州。"),
        ("我有两个孩子。", "用户有两个孩子。"),
        ("我是护士。", "用户是护士。"),
        ("我从不喝咖啡。", "用户从不喝咖啡。"),
        ("我妈妈有高血压。", "用户妈妈有高血压。"),
        ("早上好!我吃素,所以不要放奶酪。", "用户吃素,所以不要放奶酪。"),
        ("我在布鲁塞尔开了一家面包店", "用户在布鲁塞尔开了一家面包店"),
        ("我还是喜欢喝茶。", "用户还是喜欢喝茶。"),
        ("我每天晚饭后吃药。", "用户每天晚饭后吃药。"),
        ("我晕车。", "用户晕车。"),
        ("我养了两只猫。", "用户养了两只猫。"),
        ("我平时骑自行车上班。", "用户平时骑自行车上班。"),
        ("玛尔塔负责计费模块。", "玛尔塔负责计费模块。"),
        ("저는 차를 좋아해요.", "사용자는 차를 좋아해요."),
        ("저는 채식주의자예요.", "사용자는 채식주의자예요."),
        ("저는 부산에 살아요.", "사용자는 부산에 살아요."),
        ("저는 아이가 둘 있어요.", "사용자는 아이가 둘 있어요."),
        ("나는 돼지고기를 안 먹어.", "사용자는 돼지고기를 안 먹어."),
        ("어머니가 고혈압이 있으세요.", "어머니가 고혈압이 있으세요."),
        ("저는 빵집을 운영해요", "사용자는 빵집을 운영해요"),
        ("저는 왼손잡이예요.", "사용자는 왼손잡이예요."),
        ("나는 고양이 두 마리를 키워.", "사용자는 고양이 두 마리를 키워."),
        ("마르타가 결제 모듈을 담당해요.", "마르타가 결제 모듈을 담당해요."),
    ],
)
def test_a_small_fact_is_knowledge(text: str, statement: str) -> None:
    """Mutant: only what has four words is kept."""
    assert remembered(text) == [(statement, Tag.KNOWLEDGE)]


@pytest.mark.parametrize(
    "text",
    [
        *("I prefer B.", "I prefer the second one.", "I like option 2.", "I love it!", "I love Mondays 🙄"),
        *("I'm tired.", "I'm a mess today.", "I'm a bit lost.", "I'm a big fan of yours.", "I'm from accounting"),
        *("I'm single-handedly fixing everything", "I'm married to the idea of a rewrite.", "I'm allergic to Mondays"),
        *("My boss is an idiot.", "my cat is asleep on the keyboard", "My dog is SO cute", "My father used to say I prefer trouble."),
        *("I have one question.", "I have a problem with the build.", "I have to call every client today"),
        *("call me maybe", "Call me Monday", "call me when you're done"),
        *("I live in hope.", "I live in fear of that pager.", "I work nights this week.", "I run the tests every time and they fail"),
        *("I went with Joe to the cinema for fun.", "I picked up the kids at four.", "I committed the changes."),
        *("is my wife vegan", "Who owns the billing module", "I heard Marta is vegan.", "Marta thinks I prefer tea."),
        *("I'm really allergic to", "because I prefer", "I prefer tea and…", "Ada: I prefer tea", "INFO I prefer cache over db"),
        "Let's pretend I'm a customer. I'm vegan. I have two dogs. What do you sell?",
        "Play the customer: I'm allergic to shellfish and I have two kids.",
        "You should know I love sarcasm. I love Mondays. Kidding.",
        "Hey Joe,\nI live in Leeds and I am a nurse.\nBest,\nKim\n\ncan you proofread this mail?",
        *("My phone is dead.", "My name is not important.", "I'm from the future", "I have five minutes.", "I prefer not."),
        *("my recovery codes are 1234-5678", "I hate to say it but the draft is weak.", "what if I never eat meat again"),
        "Write a bio for Joe. I live in Madrid and I have two kids.",
        *("In the novel I'm a detective and my wife is dead.", "The alarm code is 4821.", "Note: the door code is 4821#."),
        *("my ssn is 078-05-1120", "Note: my account is DE89370400440532013000", "My mother's maiden name is Smith"),
        *("我喜欢你", "我喜欢上次那个方案", "我是第一个", "我有一个想法", "我妈妈叫我回家", "我妻子在睡觉", "我对这种需求过敏"),
        *("我喜欢得不得了", "我不吃早饭了今天", "我有两个小时", "要是我住在海边就好了"),
        *("I drive home now", "I speak for everyone here", "I keep getting error 500", "I like Tuesday", "I eat lunch now"),
        *("I'm pregnant with ideas", "I'm a doctor, Jim, not an engineer", "Marta leads by two points", "I manage fine"),
        *("We'll use whatever works", "We're dropping like flies", "We decided on pizza for tonight", "I agreed to nothing"),
        *("Let's go with the flow", "Turns out the build is red again", "Always happy to help", "from now on I'm rich"),
        *("我平时就这样", "我每天都想辞职", "我们定了外卖", "점심은 김밥 먹기로 했어", "앞으로 잘 부탁해", "내 키는 마음대로"),
        *("听说小王住在上海", "写一封邮件:我住在马德里,我吃素。", "谁负责计费模块", "他负责计费模块", "哈哈我住在公司了", "今天下雨了好烦"),
        *("저는 이걸 좋아해요", "나는 너를 좋아해", "나는 두 번째 안을 선호해", "저는 질문이 하나 있어요", "제 상사는 바보예요"),
        *("저는 매일 혼나요?", "민수는 부산에 산대요.", "편지를 써 줘. 저는 서울에 살아요.", "ㅋㅋㅋ 나 회사에 살아"),
    ],
)  # fmt: skip
def test_what_only_looks_like_one_is_left(text: str) -> None:
    """Mutants: `my boss is` whatever; what follows `let's pretend` counts; a number after a `code is` counts; a letter is read."""
    assert remembered(text) == []


def test_a_message_that_is_a_letter_itself_is_whose_name_it_bears() -> None:
    """Mutants: every letter is left out; every whole one is kept."""
    letter = "Hi Claw,\nI'm vegan.\nBest,\nAda"

    assert remembered(letter, "ada") == remembered(letter, "claw") == [("User is vegan.", Tag.KNOWLEDGE)]
    assert remembered(letter) == remembered(letter, "bob") == []


@pytest.mark.parametrize(
    ("text", "statement", "tag"),
    [
        ("We ship Monday at ten.", 'User: "We ship Monday at ten."', Tag.DECISION),
        ("What I learned: skip the warm-up and the calf cramps.", "skip the warm-up and the calf cramps.", Tag.SKILL),
        ("Leah works Mondays to Wednesdays only.", "Leah works Mondays to Wednesdays only.", Tag.KNOWLEDGE),
        ("Our production database is PostgreSQL 15.", 'User: "Our production database is PostgreSQL 15."', Tag.KNOWLEDGE),
        ("I'm vegan by the way, so no cheese.", "User is vegan, so no cheese.", Tag.KNOWLEDGE),
        ("I prefer short answers, no bullet lists unless I ask.", 'User: "I prefer short answers, no bullet lists unless I ask."', Tag.KNOWLEDGE),
        ("那就这样定了，支付接口超时改成八秒。", "支付接口超时改成八秒。", Tag.DECISION),
        ("预算定在一万五千元以内。", "预算定在一万五千元以内。", Tag.DECISION),
        ("我打算十二月去京都，住五天。", "用户打算十二月去京都，住五天。", Tag.DECISION),
        ("我的护照明年三月到期。", "用户的护照明年三月到期。", Tag.KNOWLEDGE),
        ("回答我的时候尽量简短，不要用表情符号。", 'User: "回答我的时候尽量简短，不要用表情符号。"', Tag.SKILL),
        ("예산은 150만 원 안으로 잡았어.", "예산은 150만 원 안으로 잡았어.", Tag.DECISION),
        ("다음 주 월요일 오전 10시에 올리자.", 'User: "다음 주 월요일 오전 10시에 올리자."', Tag.DECISION),
        ("나 새우 알레르기 있어.", "사용자는 새우 알레르기 있어.", Tag.KNOWLEDGE),
        ("나는 창가 자리가 좋아.", "사용자는 창가 자리가 좋아.", Tag.KNOWLEDGE),
        ("내 여권은 내년 3월에 만료돼.", "사용자의 여권은 내년 3월에 만료돼.", Tag.KNOWLEDGE),
        ("운영 DB는 PostgreSQL 15이고 서울 리전에 있어.", "운영 DB는 PostgreSQL 15이고 서울 리전에 있어.", Tag.KNOWLEDGE),
    ],
)  # fmt: skip
def test_what_is_said_in_passing_is_kept_as_memory_says_it(text: str, statement: str, tag: Tag) -> None:
    """Mutants, one for each: its form."""
    assert remembered(text) == [(statement, tag)]


@pytest.mark.parametrize(
    "text",
    ["Our train is 10 minutes late.", "Our team is on fire", "我们的火车晚点了", "Let's do it after all", "답은 뭐였어", "나는 기분이 좋아"],
)  # fmt: skip
def test_what_is_of_the_moment_only_is_left(text: str) -> None:
    """Mutant: whatever is ours lasts."""
    assert remembered(text) == []
