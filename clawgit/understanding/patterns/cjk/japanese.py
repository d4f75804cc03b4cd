"""A few patterns for Japanese."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import EXPLICIT, MEMORY, SOFT, About, Find, Rule

RULES = (
    Rule(
        "ja:remember",
        MEMORY,
        About("Something is to be remembered.", "覚えておいて、会議は火曜日です。", but="覚えてね?"),
        Find(
            "覚え|忘れ|重要|今後|これから|メモ|決定|决定|记",
            r"覚えて(?:おいて|ください|ね|。|$|お)",
            r"忘れ(?:ないで|るな|ずに|ないように)",
            r"(?:^|。)\W*(?:重要|決定|决定|メモ) ?[:!]",
            r"(?:今後|これから)(?:は|も)",
            r"メモして",
        ),
        unless=(
            r"覚えて(?:い|お)?(?:ます|る)?か",
            r"\?$",
            r"覚えていな",
        ),
    ),
    Rule(
        "ja:told",
        EXPLICIT,
        About("It was said before, or forgotten.", "もう言ったでしょう。"),
        Find(
            "言った|言いました|话した|話した|伝え|忘れた|忘れま|何度|话しました|言ったよ",
            (
                r"(?:もう|さっき|前に|すでに|既に|昨日)[^。]{0,20}(?:言った|言いました|[話话]した"
                r"|[話话]しました|伝えた|伝えました)"
            ),
            r"(?:また)?忘れた(?:の|んですか|のですか|ね)|忘れましたか",
            r"何度(?:言|も言|説明|说明)",
        ),
    ),
    Rule(
        "ja:correct",
        SOFT,
        About("It is otherwise than was said.", "実は木曜日です。", but="実は違いますか"),
        Find(
            ("実は|实は|いいえ|いや|違|间違|間違|訂正|订正|じゃなくて|ではなく|変わり|变わり|引っ越|もう"),
            r"[実实]は",
            r"(?:^|。)(?:いいえ|いや|違います|違う)[、,。 ]",
            r"[間间]?違(?:います|う|って|い)",
            r"[訂订]正",
            r"(?:じゃ|では)なく(?:て)?",
            r"[変变]わ(?:りました|った)|引っ越(?:しました|した)|[変变]えました",
        ),
        unless=(
            r"\?$",
            r"違いは|違いを|か$",
        ),
    ),
)
