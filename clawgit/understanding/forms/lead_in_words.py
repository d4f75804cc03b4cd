"""How people put a correction into words: clauses that say nothing themselves, what is not so any more, what changed.

Each is a whole clause, with a stop behind it. What is not listed stays in the message.
"""

from __future__ import annotations

import re

from clawgit.text.comparing.subjects import subject

_STOP = r"(?:[\s,;:.!?–—-]*[,;:.!?–—-]\s*(?:but\s+|and\s+|so\s+|because\s+)?|\s+(?:but|and)\s+|\s*$)"
_CLAUSE = r"[^,;:.!?]"  # one character of a clause
_THING = r"(?:(?:the|my|our|his|her|their|your|that|this|an?)\s)?[\w'’-]+(?:\s[\w'’-]+){0,2}?"
_DONE = """
upgraded moved changed renamed extended rescheduled retired left quit sold replaced switched closed died resigned bought
rented hired fired married graduated dead old gone shut split merged cancelled canceled
"""
_DONE_TO = (
    r"(?:\s(?:it|that|them|us|out|back|him|her|(?:the|our|my|his|her|their)\s[\w'’-]+(?:\s[\w'’-]+)?))?"
)
_WHEN = r"(?:\s(?:in\s(?:the\s)?\w+|last\s\w+|this\s\w+|on\s\w+day|recently|(?:a|two|three|some)\s\w+\sago|ages\sago|long\sago))?"
_HELPING = r"(?:\s(?:was|were|is|are|has|have|had|been|just|recently|all|already)|['’](?:s|ve|re))*"
_GIVEN = rf"{_THING}\s(?:gave|sent|took|brought)\s{_THING}\sback"
EVENT = rf"(?:{_GIVEN}|{_THING}{_HELPING}\s(?:{'|'.join(_DONE.split())}){_DONE_TO}{_WHEN})"
# What of a statement can be wrong; another of these is another thing: `wrong car`.
_ASPECTS = """
day date time year month number address street host place city town room floor name spelling colour color price amount
unit currency size order hour minute country
"""
_ASPECT = rf"(?:{'|'.join(_ASPECTS.split())})"
_SEEMS = r"(?:(?:i\sthink|i['’]m\safraid|(?:it\s)?(?:looks|seems)(?:\slike)?)\s(?:that\s)?)?"
_JUDGING = (
    rf"{_SEEMS}you(?:['’]ve|['’]re|\shave|\sare)?\s(?:mixed|swapped|confused|misspelled|misspelt|misread|misheard|misremember\w*|mistaken|wrong|out\sof\sdate|outdated){_CLAUSE}{{0,40}}?",
    rf"{_SEEMS}you(?:['’]ve|\shave)?\s(?:got|have|had|remember(?:ed)?){_CLAUSE}{{1,40}}?\s(?:wrong|old|outdated|mixed|backwards|confused){_CLAUSE}{{0,20}}?",
    rf"{_SEEMS}you(?:['’]re|\sare)?\s(?:keep|still)\s(?:saying|say|writing|write|calling|call){_CLAUSE}{{0,40}}?",
    rf"your\s{_CLAUSE}{{1,20}}?\s(?:is|are)\s(?:wrong|old|outdated|stale|out\sof\sdate)",
    r"(?:that|this|it)(?:['’]s|\sis|\swas)(?:\s(?:just|simply|still|only))?\s(?:(?:the|an?|my|our|his|her)\s)?(?:old|former|previous|outdated|wrong|dead|stale|ancient|obsolete|mistake)(?:\s\w+)?",
    r"that\s\w+(?:\sis|['’]s)\s(?:dead|old|gone|wrong|outdated|out\sof\sdate|no\slonger\s\w+)",
    rf"(?:right|correct)\s[a-z]+,\s(?:but\s)?(?:the\s)?wrong\s{_ASPECT}",
    rf"wrong\s{_ASPECT}",
    r"(?:(?:the|that)\s)?[a-z]+(?:['’]s|\sis|\sare)\s(?:right|correct|fine|true|okay|ok)(?=,?\sbut\b)",
    r"not\sany\s?more|no\slonger|not\squite(?:\sright)?|not\sreally|hmm*|close|almost|nearly",
    r"(?:two|three|four|a\sfew|some|several|a\scouple\sof)\s(?:things|points|mistakes|errors)(?:\sare)?(?:\swrong|\sto\s(?:fix|correct))?(?:\shere|\sthere)?",
)
_POLITE = (
    r"with\s(?:all\s)?(?:due\s)?respect|(?:i['’]m\s)?sorry\sto\s\w+(?:\s[\w'’]+){0,3}?|i['’]m\safraid|i\shate\sto\s\w+(?:\s\w+)?|not\sto\s(?:nitpick|be\s\w+)",
    r"let\sme\s(?:correct|fix)(?:\s\w+)?|(?:just\s)?(?:to\sbe\sclear|for\sthe\srecord|fyi|by\sthe\sway|btw|so\syou\sknow|a\squick\sone|small\sthing)",
    r"(?:could|can|would)\syou\s(?:please\s)?(?:fix|correct|change|update|adjust)\s(?:that|this|it|your\s\w+)(?:\splease)?",
    rf"please\s(?:don['’]t|update{_CLAUSE}{{0,25}}|(?:fix|correct|change)\s(?:that|this|it|your\s\w+)|note|stop)",
    rf"i\s(?:just\s)?(?:checked|looked|asked|verified|double-checked){_CLAUSE}{{0,25}}?",
    r"(?:as\s)?i(?:['’]ve|\shave)?\s(?:already\s)?(?:said|told|mentioned|wrote|explained)(?:\s(?:you|this|that|it|so|already|before|earlier|wrong|(?:two|three|four|five|many|several|a\sfew)\stimes))*",
    r"(?:why|where\sdid\syou\sget|since\swhen|who\stold\syou|who\ssays)\b[^,;:.!?]{1,50}",
    rf"(?:it|he|she|they|we)\s(?:has|have|is|was)n['’]t(?:\s(?:been|for|in)\b{_CLAUSE}{{0,20}})?",
    r"ha(?:ha)+|lol|oh|ah|oops|wait|hey|please|thanks|thank\syou",
)
ASIDES = re.compile(rf"^(?:{'|'.join((*_JUDGING, *_POLITE, EVENT))}){_STOP}", re.IGNORECASE)
# What is denied comes first, and what is so behind it.
_DENYING = (
    rf"{_CLAUSE}{{1,60}}?\s(?:any\s?more|any\slonger)",
    rf"{_CLAUSE}{{1,40}}?\s(?:no\slonger|used\sto)\s{_CLAUSE}{{1,40}}?",
    rf"{_CLAUSE}{{1,40}}?(?:n['’]t|\snot)\s{_CLAUSE}{{1,40}}?",
    rf"[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)?{_HELPING}\s(?:left|quit|retired|resigned|died|gone|stepped\sdown){_DONE_TO}{_WHEN}",
    rf"{_CLAUSE}{{1,30}}\syes,\s{_CLAUSE}{{1,30}}\sno",
    rf"you\s(?:keep|still)\s(?:saying|say|writing|write|calling|call)\s{_CLAUSE}{{1,40}}?",
)
SAYING = re.compile(r"(?i)^you\s(?:keep|still)\s\w+\s")
DENIALS = re.compile(rf"^(?:{'|'.join(_DENYING)}){_STOP}", re.IGNORECASE)
_AFTER = (
    r"as\si\s(?:said|told\syou)(?:\s\w+){0,2}|remember|by\sthe\sway|btw|these\sdays|nowadays|now|actually|though",
    r"please\s(?:update|fix|correct|note|change)\b[^,;:.!?]{0,25}|with\s(?:an?|one|two|double)\s['‘]?\w['’]?(?:['’]?s)?",
    r"you\s(?:mixed|swapped|confused|got)\b[^,;:.!?]{0,30}|(?:he|she|they|the\s\w+)\s(?:said|told\sme)\sso|same\s\w+",
    r"ha(?:ha)+|lol|:-?\)|thanks|thank\syou|please",
    EVENT,
)
BEHIND = re.compile(
    rf"(?:[\s,;:–—-]*[,;:–—-]\s*(?:{'|'.join(_AFTER)})|\s(?:these\sdays|nowadays|by\sthe\sway))[\s.!?]*$",
    re.IGNORECASE,
)
CHANGED = re.compile(
    r"(?i)\b(?:went|gone|moved|changed|raised|lowered|increased|reduced|extended|became|become|been|since|switched|cut|pushed|is|are|['’]s)\b"
)
WHEN_IT_CHANGED = re.compile(
    r"(?i),?\s(?:(?:since|as\sof)\s(?:(?:the|last|my|our)\s)?\w+(?:\s\w+)?|last\s(?:year|month|week|spring|summer|autumn|fall|winter)"
    r"|in\s(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|(?:19|20)\d\d)"
    r"|(?:a|two|three)\s(?:year|month|week)s?\sago)(?=[.!]*$)"
)
_WHO = r"(?P<who>i|we|he|she|they|[A-Z][a-z]+)"
_VALUE = r"(?P<v>(?:[^,]|,(?=\d))+)"
_SET = r"(?:cut|raised|lowered|moved|pushed|put|changed|switched|brought|postponed)"
_BY = r"(?:\s(?:up|down|back|forward))?"
# What was done, as it would be said of what is so now.
_AS_IT_IS = (
    (r"(?P<a>[^,]*?)\s(?:actually|really|in\sfact)\s(?P<b>[^,]+)", r"\g<a> \g<b>"),
    (rf"(?:his|her|its|their)\s(?:sur|first\s|last\s)?name(?:\sis|['’]s)\s{_VALUE}", r"it is \g<v>"),
    (rf"(?P<what>{_CLAUSE}{{3,40}}?)(?:['’]s)?\sname(?:\sis|['’]s)\s{_VALUE}", r"\g<what> is called \g<v>"),
    (r"(?P<a>the|my|our|his|her|their)\s(?:new|current|correct|right|actual)\s(?P<rest>.+)", r"\g<a> \g<rest>"),
    (r"it(?:['’]s|\sis)\s(?P<v>[^,]+?)\s(?:that\s)?(?P<does>(?:i|he|she|we|they)\b[^,]*?)(?P<old>,\snot\s[^,]+)?", r"\g<does> \g<v>\g<old>"),
    (rf"{_WHO}(?:['’]ve|\shave|\shas)?(?:\sjust)?\smoved\sto\s{_VALUE}", r"\g<who> live in \g<v>"),
    (rf"{_WHO}(?:['’]ve|\shave|\shas)?(?:\sjust)?\smoved\sto\s{_VALUE}", r"\g<who> is based in \g<v>"),
    (rf"it\s(?:went|has\sgone|was\s{_SET}){_BY}\sto\s{_VALUE}", r"it is \g<v>"),
    (rf"(?:the\s\w+|they|we|he|she)\s{_SET}\s(?:it|that|them){_BY}\sto\s{_VALUE}", r"it is \g<v>"),
    (rf"(?:they|we|he|she)\s{_SET}\s(?P<what>[\w' ]+?){_BY}\s(?:from\s[^,]+\s)?to\s{_VALUE}", r"\g<what> is \g<v>"),
    (rf"it(?:['’]s|\shas)\sbeen\s{_VALUE}", r"it is \g<v>"),
)  # fmt: skip
REWRITTEN = tuple((re.compile(rf"^{shape}$", re.IGNORECASE), plain) for shape, plain in _AS_IT_IS)
SO_NOW = re.compile(r"(?i)\b(?:is|are|am)\b|['’](?:s|re|m)\b")
# Before what an agent gives as a reason for what it does.
REASON = re.compile(
    r"(?:,?\s+|^)(?:[Aa]s|[Bb]ecause|[Ss]ince)\s+(?P<reason>(?:you|he|she|it|they|we|the|your|[\w'’-]+(?:\s\w+){0,3}\s(?:is|are))\b[^,;]+)"
)
WHERE_BEFORE = re.compile(r"(?i)\b(at|in|on|to|with|for|by|from)\s(?:the\s|an?\s)?$")
# Said of every change: it does not tell what changed.
FIRST = subject("moved now new changed left last year month week spring summer autumn winter since")
