"""Our own Korean patterns for what should be remembered; endings carry negation and question, so they are part of each."""

from __future__ import annotations

from clawgit.text.words.word_lists import any_of
from clawgit.understanding.patterns.pattern_rule import MEMORY, About, Find, Rule

_DO = any_of(
    """
    줘, 주, 둬, 두, 놔, 놓, 라, 야, 하세요, 세요, 해요, 해라, 하자, 하도록, 할 것, 하렴
    """
)

RULES = (
    Rule(
        "ko:remember",
        MEMORY,
        About(
            "Something is to be remembered.",
            "기억해 둬, 회의는 매주 화요일이야.",
            but="기억하자고 기억할 필요는 없어.",
        ),
        Find(
            "기억|외워|명심",
            rf"기억 ?(?:해 ?{_DO}|하고 있어|하세요|하도록|하자|해야)",
            r"기억해(?:[,.!:]|$)",
            r"(?:외워|명심)(?:해)? ?(?:줘|둬|두|놔|라|해)",
        ),
        unless=(
            r"기억(?:하지|해 ?둘 ?필요|할 ?필요)",
            r"기억해\?",
        ),
    ),
    Rule(
        "ko:forget",
        MEMORY,
        About("Something is not to be forgotten.", "까먹지 마! 내일 9시야.", but="잊지 않았어."),
        Find(
            "잊|까먹",
            r"(?:잊어버리|잊어먹|잊|까먹)(?:지|으면) ?(?:마|말|않|안)",
        ),
        unless=(
            r"잊지 못",
            r"잊지 않(?:았|을게)",
            r"(?:잊|까먹)지 않았",
        ),
    ),
    Rule(
        "ko:label",
        MEMORY,
        About("A label before what matters.", "결정: 우리는 파이썬을 쓴다.", but="이거 중요해?"),
        Find(
            "중요|결정|참고|메모|주의|알림|원칙|규칙|계획|합의|약속|기록",
            (
                r"(?:^|[.!?] )\W*(?:매우 |아주 |정말 |꼭 |최종 |우리 |새 )?(?:중요"
                r"|중요한 ?(?:것|거|건|점|사항|정보|내용)|결정|결정 ?사항|참고|참고로|메모|주의|알림|원칙"
                r"|규칙|계획|합의|약속|기록)(?:은|는)? ?[:!-]"
            ),
            r"(?:^|[.!?] )참고로",
            (
                r"(?:이건|이거|이게|정말|아주|매우) (?:정말 |아주 |매우 )?중요(?:해|합니다"
                r"|한 ?(?:거|내용|정보|사항))"
            ),
        ),
        unless=(
            r"중요하지",
            r"안 중요",
            r"\?$",
        ),
    ),
    Rule(
        "ko:write-down",
        MEMORY,
        About(
            "A request to write it down.",
            "메모해 줘. 와이파이 비밀번호는 금고에 있어.",
            but="파일을 저장해줘.",
        ),
        Find(
            "메모|적어|기록|저장|받아",
            r"(?:메모|기록|저장) ?해 ?(?:줘|주|둬|두|놔|놓|라)",
            r"(?:받아 ?)?적어 ?(?:줘|주|둬|두|놔|놓)",
            r"메모리에 (?:추가|저장|넣어)",
        ),
        unless=(r"(?:파일|코드|함수|문서|표|엑셀)(?:을|를|에|로)?[^.!?]*저장",),
    ),
    Rule(
        "ko:decided",
        MEMORY,
        About(
            "A decision that was made.",
            "우리는 리액트를 쓰기로 결정했어.",
            but="우리 아직 그러기로 결정했어?",
        ),
        Find(
            "기로|결정|정했|합의|정하",
            r"기로 (?:했|결정|합의|정했|약속)",
            r"(?:으로|로|을|를|이|가|하기로) ?(?:최종 )?(?:결정|확정|합의)(?:했|됐|되었|하였|봤)",
            r"(?:우리|우린|내가|저는|나는|난|팀에서|회의에서)[^.!?]{0,30}(?:정했|결정했|합의했)",
        ),
        unless=(
            r"\?$",
            r"안 했",
            r"못 했",
            r"않",
            r"아직",
            r"했잖",
        ),
    ),
    Rule(
        "ko:plan",
        MEMORY,
        About("What somebody intends.", "내 계획은 5월에 이사하는 거야.", but="내 계획은 뭐야?"),
        Find(
            "계획|예정",
            r"(?:우리|내|제|이번|새로운|새)? ?계획은 ",
            r"(?:할|갈|될|올|시작할|출시할) (?:계획|예정)(?:이야|이다|입니다|이에요|임|$)",
        ),
        unless=(
            r"\?$",
            r"없",
            r"뭐",
        ),
    ),
    Rule(
        "ko:standing",
        MEMORY,
        About("It holds from now on, or always.", "항상 미터법으로 알려줘.", but="앞으로 가 줘."),
        Find(
            "앞으로|이제부터|지금부터|오늘부터|다음부터|항상|언제나|절대|매번|늘 ",
            (
                r"(?:앞으로(?:는|도)?|이제부터(?:는)?|지금부터(?:는)?|오늘부터(?:는)?|다음부터(?:는)?"
                r"|내일부터(?:는)?)[ ,]"
            ),
            (
                r"(?:항상|언제나|절대(?:로)?|매번|늘) [^.!?]{1,40}(?:해 ?줘|해 ?주세요|하세요|해라|써 ?줘"
                r"|써 ?주세요|사용해|불러 ?줘|답해|대답해|지 ?(?:마|말)|말고|알려 ?줘|보내 ?줘|줘)"
            ),
        ),
        unless=(
            r"\?$",
            r"앞으로 (?:가|나아|넘|다가|이동|몇|잘 부탁|걸)",
        ),
    ),
)
