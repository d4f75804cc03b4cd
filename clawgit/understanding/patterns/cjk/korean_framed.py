"""Our own Korean patterns for what is so, and that it be set right; and for what is not done on a day."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

_QUESTION = r"\?$"
_TASK = "파일|코드|폴더|브랜치|함수|테스트|스크립트|변수|에러|오류"

RULES = (
    Rule(
        "ko:fix-notes",
        SOFT,
        About(
            "What is so, and that it be set right.",
            "계약은 7월 31일에 끝나니까 고쳐 주세요.",
            but="코드는 3줄이 틀렸으니까 고쳐 주세요.",
        ),
        Find(
            "고쳐|수정해|업데이트해",
            r"\S+[은는이가] [^.!?]*\d[^.!?]*(?:니까|어요|해요|예요|이에요|이야|으로),? ?(?:좀 )?(?:고쳐|수정해|업데이트해) ?(?:주세요|줘|줘요)[.!~]*$",
        ),
        unless=(_QUESTION, _TASK),
    ),
    Rule(
        "ko:does-not",
        SOFT,
        About(
            "What does not happen on a day.",
            "헬스장은 일요일에 안 열어요.",
            but="헬스장은 일요일에 안 열어요?",
        ),
        Find(
            "에 안 |에는 안 |엔 안 ",
            r"^(?!나는|난|저는|전|우리)\S+[은는] (?:[월화수목금토일]요일|주말|\d+시)(?:에|에는|엔) 안 [가-힣]+(?:어|아|해|요|다)[.!~]*\??$",
        ),
        unless=(_QUESTION,),
    ),
    Rule(
        "ko:sorry-but",
        SOFT,
        About(
            "A word of excuse, and then what is so.",
            "죄송한데 화요일에 쉬어요.",
            but="죄송한데 화요일에 쉬어요?",
        ),
        Find(
            "죄송|미안",
            r"^(?:죄송한데|죄송하지만|미안한데|미안하지만)요?,? (?:\S+ ){0,2}?(?:[월화수목금토일]요일|\d\S*)(?:에|은|이|로)? ?\S*(?:요|야|다|어|해)[.!~]*\??$",
        ),
        unless=(_QUESTION, r"오늘|내일|못 |늦|부탁|줘|주세요|까지"),
    ),
    Rule(
        "ko:who-now",
        SOFT,
        About(
            "Who or what it is by now.",
            "집이 팔려서 지금 집주인은 이 여사님이에요.",
            but="지금 담당자는 누구예요?",
        ),
        Find(
            "지금 |이제 |거든",
            r"(?<!\S)(?:지금|이제) \S{2,}[은는] \S+(?: \S+)?(?:이에요|예요|이야|야|입니다)[.!~]*\??$",
            r"^(?:내가|제가|내|제) [^.!?]{2,20}[은는] \S+거든(?:요)?[.!~]*$",
            r"^(?:나 |저 )?이제 \S+ 안 [가-힣]+, \S+(?:으로|로|을|를|에서|에) \S+[.!~]*$",
        ),
        unless=(_QUESTION, r"누구|뭐|몇|어디|시간|(?:끝|시작|차례|문제|중)(?:이에요|예요|이야|야|입니다)"),
    ),
)
