"""Our own Korean patterns for what is so, and that it be set right; and for what is not done on a day."""

from __future__ import annotations

from clawgit.capture.triage.rules import SOFT, About, Find, Rule

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
)
