"""Turns of English that several triage patterns share; regular expressions for text in lower case."""

from __future__ import annotations

QUESTION = r"\?$"
THANKS = r"thank"

# Where something is said to somebody: at the beginning of a sentence, or after a word that leads up to it.
SENTENCE = (
    r"\b(?:^|(?<=[.!?:;/] )|(?<=[/(])|(?<=\bplease )|(?<=\balso )|(?<=\bso )|(?<=\bhey )|(?<=\byou must )"
    r"|(?<=\byou should )|(?<=\bi want you to )|(?<=\bi'd like you to )|(?<=\bi need you to ))"
)
CLAUSE = (
    r"\b(?:^|(?<=[^\w'] )|(?<=[/(:\[])|(?<=\bplease )|(?<=\balso )|(?<=\bso )|(?<=\bhey )|(?<=\byou must )|(?<=\byou should )"
    r"|(?<=\bwant you to )|(?<=\blike you to )|(?<=\bneed you to )|(?<=\band )|(?<=\bbut )|(?<=\bjust )|(?<=\bok )|(?<=\bthen )"
    r"|(?<=\bkindly )|(?<=\bmake sure you )|(?<=\bmake sure to )|(?<=\bbe sure to ))"
)
# Where somebody is set right: at the beginning, or after a word of hesitation.
REPLY = r"\b(?:^|(?<=[.!?:;] )|(?<=\bah, )|(?<=\buh, )|(?<=\bum, )|(?<=\boh, )|(?<=\bhmm, )|(?<=\bwell, )|(?<=\bwait, )|(?<=\bsorry, ))"

HAVE = r"(?:'ve| have|'d| had)?"
ADVERB = (
    r"(?: (?:already|just|literally|clearly|also|both|all|finally|now|since|recently|actually|definitely|explicitly|repeatedly"
    r"|certainly|even|only|really|specifically|always|completely|totally|obviously|apparently|still|again|once again))*"
)
VERY = r"(?:(?:so|very|really|quite|pretty|totally|all|just|perfectly|absolutely|kind of|too|a bit|a little|a|an|the) )*"

# Words by which a "no" or an "actually" agrees, thanks or waves aside instead of setting something right.
PRAISE = VERY + (
    r"(?:fine|ok|okay|good|great|nice|cool|alright|all right|perfect|lovely|awesome|amazing|wonderful|brilliant"
    r"|fantastic|excellent|enough|all|it|nothing|everything|(?:my )?pleasure|no problem|not a problem|no worries"
    r"|not necessary|not needed|late|early|much|bad|funny|hilarious|fun|interesting|beautiful|impressive|helpful"
    r"|true|clear|easy|simple|best|better|same|hard|difficult|sad|terrible|awful|sweet|kind|worth|possible"
    r"|impossible|yours|up to you|delicious|cute)"
)
# Words for how things stand at the moment, which nobody needs to remember.
PASSING = VERY + (
    r"(?:late|time|dark|cold|hot|warm|rainy|sunny|windy|cloudy|done|fixed|over|gone|ready|up|down|on|off|out"
    r"|back|here|there|broken|stuck|quiet|loud|busy|crazy|even|or never|like|about|easier|harder|still|finally"
    r"|become|been|\w+ o'clock|\w+ time|morning|night|evening|noon|midnight|safe|open|closed|frozen|slow|fast|faster"
    r"|slower|green|red|your turn|my turn|what|right|only|almost|nearly|not (?:working|too)"
    r"|(?!beijing|king|ring|spring|wing)\w{3}\w*ing)"
)
# Things that are moved and changed while working on a task.
TASK_THING = (
    r"(?:files?|folders?|director(?:y|ies)|servers?|services?|scripts?|process(?:es)?|containers?|builds?|tests?"
    r"|(?:that|this|the|nightly|cron) job|branch(?:es)?|code|functions?|method|class|lines?|rows?|columns?|cells?|tabs?"
    r"|windows?|cursor|mouse|downloads?|uploads?|installation|app|program|machines?|computer|vm|pods?|clusters?"
    r"|database|db|quer(?:y|ies)|deployments?|debugger|timer|oven|car|engine|imports?|variables?|packages?"
    r"|dependenc(?:y|ies)|repo|repository|daemon|gateway|loop|thread|stream|recording|video|music|song|movie"
    r"|series|episode|game|book|chapter|readme|docs?|pages?|button|slider|tickets?|issues?|bugs?|pull request"
    r"|lights?|heating|tv|images?|photos?|logs?|pipeline|migration|backup|text|paragraph|sentence|title)"
)
# Things of which people say that they are different now.
FACT = (
    r"(?:names?|surname|nickname|e-?mail(?: address)?|phone(?: number)?|numbers?|address(?:es)?|birthday|pronouns|time ?zone"
    r"|title|job|employer|manager|boss|doctor|dentist|wife|husband|partner|dog|cat|team|company|office|city"
    r"|country|account|plate|size|language|currency|deadline|budget|landlord|bank|diet|laptop|role|position|house"
    r"|apartment|flat|place|password|username|handle|website|url|domain|port|vendor|supplier|client|colleague"
    r"|teammate|project|school|schedule|hours|date|time|code|price|version|meeting|contact|owner|rate|room|plan"
    r"|limit|key|appointment|flight|call|standup|launch|release|venue|host|fee|rent|interview|exam|wedding|party"
    r"|gate|booking|reservation|demo|review|dinner|lunch)"
)
SAYING = (
    r"(?:say|said|tell|told|repeat|explain\w*|remind\w*|ask\w*|correct\w*|mention\w*|go over|gone over|went over"
    r"|been (?:over|through)|forget|forgot|get .{1,30} wrong|spell|spelled|answer\w*)"
)
BEFORE = (
    r"(?:before|earlier|already|yesterday|twice|previously|last (?:time|week|month|night|session|year|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday)|(?:two|three|four|five|several|many|a (?:few|hundred|thousand|million)|\d+) "
    r"(?:times|minutes|hours|days|weeks|months)|again and again|over and over|above|the other day)"
)
PEP_TALK = (
    r"(?:stay|believe|keep (?:going|smiling|your)|rest|relax|breathe|smile|enjoy|have fun|have a|take (?:care|time|breaks?|a break"
    r"|some|it easy)|be kind|be proud|celebrate|look after|eat|drink|sleep|live|laugh|love|stop and|treat yourself"
    r"|appreciate)"
)
