"""Our own Chinese patterns for how people lead up to what is right: what of it is so, what was before, who left."""

from __future__ import annotations

from clawgit.understanding.patterns.pattern_rule import SOFT, About, Find, Rule

_ASKS = r"[吗么呢]?\?$|[吗没]$|(?:什么|哪[里个儿]|谁|几点|怎么|为什么|多少|是不是|可以)"
_GONE = "(?:调走|离职|辞职|退休|去世|搬走)"

RULES = (
    Rule(
        "zh:this-right-that-not",
        SOFT,
        About(
            "What of it is right, and then what is so of the rest.",
            "日期没错,时间是九点半。",
            but="日期没错,时间是几点?",
        ),
        Find("没错|是对的", r"^[^,。!?]{1,6}(?:没错|是对的),[^,。!?]{1,6}(?:是|在|叫)[^,。!?]{1,12}[。!.?]?$"),
        unless=(_ASKS, r"^(?:你|我|他|她)?说?的?(?:没错|是对的)"),
    ),
    Rule(
        "zh:looked-up",
        SOFT,
        About(
            "The sender looked, or excuses himself, and this is so.",
            "查了一下,是350元。",
            but="查了一下,是350元吗?",
        ),
        Find(
            "查了|查过|问过|确认过|恕我直言|不好意思|抱歉",
            r"^(?:我?(?:查|问|确认)[了过](?:一下)?了?|恕我直言|不好意思|抱歉),[^,。!?]{0,10}(?:[\d一二三四五六七八九十百千]+|周|星期|月)[^,。!?]{0,10}[吗。!.?]*$",
        ),
        unless=(_ASKS, r"今天|明天|今晚|这周|我(?:要|会|想|得|晚|迟)|才|晚点|再"),
    ),
    Rule(
        "zh:old-and-now",
        SOFT,
        About("That it was changed or is old, and what is so.", "换密码了,是4471。", but="换密码了,是4471吗?"),
        Find(
            "换|改|老|旧|以前|不太对",
            r"^[^,。!?]{0,4}(?:换|改)[^,。!?到成为]{0,5}了,(?:现在)?是[^,。!?]{1,12}[吗。!.?]*$",
            r"^[那这](?:都|已经)?是(?:老|旧|以前的?)[^,。!?]{1,4},现在[^,。!?]{2,14}[。!.]?$",
            r"^不(?:太|大)对,(?:应该)?是?[^,。!?]{0,4}[\d一二三四五六七八九十百]+[^,。!?]{0,5}[。!.]?$",
        ),
        unless=(_ASKS, r"代码|标题|格式|文件|主意"),
    ),
    Rule(
        "zh:before-and-now",
        SOFT,
        About(
            "How it was before, and how it is now.",
            "以前是GitLab,现在用Codeberg。",
            but="以前在上海,现在在哪里?",
        ),
        Find(
            "以前|之前|原来",
            r"(?:以前|之前|原来)(?:是|在|用|叫|住在?)[^,。!?]{1,12},现在(?:是|在|用|叫|住|改)[^,。!?]{1,12}[。!.?]?$",
        ),
        unless=(_ASKS,),
    ),
    Rule(
        "zh:left-and-now",
        SOFT,
        About("Somebody is gone, and who it is now.", "王敏调走了,现在的经理是李强。", but="王敏调走了,现在的经理是谁?"),
        Find(
            "调走|离职|辞职|退休|去世|搬走",
            rf"^[^,。!?]{{2,4}}(?:已经)?{_GONE}了,(?:现在|目前|新)的?[^,。!?]{{2,8}}(?:是|换成|归)[^,。!?]{{1,8}}[。!.?]?$",
        ),
        unless=(_ASKS,),
    ),
    Rule(
        "zh:fix-notes",
        SOFT,
        About(
            "What is so, and that it be set right in what is kept.",
            "合同7月31日到期,帮我改一下记录。",
            but="标题写得不好,帮我改一下记录。",
        ),
        Find("记录|备注|记忆", r"\S{4,},(?:麻烦|请|帮我)你?(?:帮我)?(?:改|更正|更新|修改)(?:一下)?(?:记录|备注|记忆)[。!.?]?$"),
        unless=(_ASKS, r"标题|代码|格式"),
    ),
    Rule(
        "zh:does-not",
        SOFT,
        About("What does not happen on a day, or what somebody does not have.", "健身房周日不开门。", but="健身房周日不开门吗?"),
        Find(
            "不开|不营业|不上|不过敏",
            r"^(?!我)[^,。!?]{2,8}(?:周|星期)[一二三四五六日天末](?:也)?不(?:开|营业|上)[^,。!?]{0,3}[。!.?]?$",
            r"^我?对[^,。!?]{1,8}不过敏,[^,。!?]{0,4}(?:过敏的)?(?:是|对)[^,。!?]{1,8}[。!.?]?$",
        ),
        unless=(_ASKS,),
    ),
)  # fmt: skip
