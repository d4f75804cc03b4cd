"""The cues of English, and the twenty source patterns as written, each with contexts in which it means something else."""

from __future__ import annotations

from clawgit.text.lazy_pattern import Lazy
from clawgit.understanding.patterns.pattern_rule import (
    COMMAND,
    EXPLICIT,
    MEMORY,
    OPT_OUT,
    SOFT,
    Rule,
    filled,
    rules_of,
)

NAMES = {
    # The start of a request: at a sentence's beginning, or after an introductory word.
    "open": (
        r"\b(?:^|(?<=[(:/])|(?<= )(?:(?<=[^\w'] )|(?<=\bplease )|(?<=\balso )|(?<=\bso )|(?<=\bthen )|(?<=\band )|(?<=\bbut )|(?<=\bjust )"
        r"|(?<=\bhey )|(?<=\bok )|(?<=\byou must )|(?<=\byou should )|(?<=\bneed to )|(?<=\byou to )|(?<=\bsure to )"
        r"|(?<=\bsure you )|(?<=\byou can )|(?<=\bbetter )))"
    ),
    "have": r"(?:'ve| have|'d| had)?(?: \w+){0,2}",
    "who": r"(?:i|we|they|he|she|it|that|(?:my|our|his|her|their|the|\w+'s) (?:[\w'-]+ ){1,3}?)(?:'ve|'s|have|has|had)?",
    "time": r"(?:before|earlier|already|yesterday|twice|previously|again|last \w+|\w+ (?:times|minutes|hours|days|weeks|months) ?(?:ago)?)",
    "done": (
        "changed|switched|moved|updated|replaced|renamed|migrated|swapped|upgraded|dropped|stopped|quit|retired|sold|canceled|cancelled"
        "|postponed|rescheduled|delayed|closed|left|joined|started|adopted|given up|gave up|got rid|ended up|hired|fired|married"
        "|divorced|graduated|became|become|extended|raised|lowered|increased|decreased|bumped|pushed|brought forward|called off"
    ),
    "task": (
        r"(?:files?|folders?|servers?|scripts?|containers?|builds?|tests?|branch(?:es)?|code|functions?|lines?|columns?|tabs?|variables?"
        r"|dependencies|imports?|logs?|tickets?|issues?|bugs?|lights?|downloads?|windows?)"
    ),
    # A "no" or an "actually" agrees with these, and these words describe a momentary state.
    "fine": (
        r"(?:so |very |really |quite |pretty |all |an? |the |kind of |bit |just |not )*(?:fine|ok|okay|good|great|nice|cool|all|enough|perfect"
        r"|lovely|amazing|pleasure|(?:great|good) (?:idea|question)|my question|interesting|it|nothing|best|better|easy|possible|impossible|late|what|why|how|needed|necessary|time|dark|cold"
        r"|hot|warm|sunny|raining|snowing|done|fixed|over|gone|ready|working|running|worse|clear|broken|\w+ time|\d+ o'clock)"
        r"(?=\W*$|[,;.!?]| (?:now|again|today|already|here|outside|nowadays|exactly|if|that|to|for|by)\b)"
    ),
    # `don't put that in the report` is no veto; in any other place it is one, as what is kept stays in the history.
    "keep": (
        r"(?:remember|memori[sz]e|save|store|record|log|write down|jot down|retain|commit|(?:keep|note|write|add|put)"
        r"(?! (?:this|that|it|these|those) (?:in|into|on|onto|to) (?:the|an?|my|our|his|her|their) (?:\w+ )?(?:e-?mails?|mails?"
        r"|letters?|reports?|newsletters?|invoices?|offers?|reply|answers?|posts?|slides?|presentation|contract|calendar|fridge)\b))"
    ),
    "this": r"(?:this|that|it|any|anything|these|those|what i|my last|the last|the above|down|me on|to memory|in memory)\b",
}

_ORDERS = r"""
rem  <open>rem[em]*be?r\b(?! (?:when|the (?:time|days?)|me|how)\b)(?! \w+\?)
remember  \b(?:can|could|would|will) you (?:please |also )*remember (?:this:|to |(?:that )?(?:i|i'm|my|we|our|the)\b)
remind me  <open>remind me that\b
forget  \b(?:don't|do not|never|mustn't|must not|let's not|not to) (?:ever |you |let me |let us |please )*forget\b
in mind  \b(?:keep|bear|have|take) (?:\S+ ){0,6}?in mind\b
on|onwards|forward  \bfrom (?:now|here|today|tomorrow|this \w+|\w+day) (?:on|onwards?|forward)\b|\b(?:going|moving) forward\b
from now|from today|henceforth  ^\W*(?:from now|from today|henceforth)\b
future|next time|for later|record|reference|your information  ^\W*(?:for|in) (?:the |your )?(?:future|next time|later|record|reference|information)\b
so you know|fyi  \b(?:so you know|fyi)\b\W+\w+ \w
note  <open>(?:take |make (?:a )?(?:mental )?)?note(?:[:,]| -| that| this| down| of| the| my| i)|\bnote[- ]to[- ](?:my)?self\b
note|memori  \b(?:can|could|would) you (?:please )?(?:(?:make|take) (?:a )?note|memori[sz]e)|<open>memori[sz]e\b
write|jot  <open>(?:write|jot) (?:this |that |it |these )?down\b
save|store|add|put|log|record|keep  <open>(?:save|store|add|put|log|record|keep) (?:this|that):|<open>(?:save|store|add|put|keep) [^.!?]{1,30} (?:for later|somewhere)
memory|notes|record  <open>(?:save|store|add|put|log|keep) (?:[^.!?]{1,40} )?(?:to|in|on) (?:your |the )?(?:memory|notes|record)\b
important|remind|note|psa|deci|rule|memo|prefer|agreed|plan  ^[^\w\n]{0,6}(?:(?:very|super|really|also|quick|one|final|our|my|new|team|key|house|standing|please|the) ){0,2}(?:(?:important|reminder|note|psa) ?(?::| - |!+ |,)|(?:decision(?: made)?|decided|rule|memo|preference|agreed|plan) ?(?::| -)) ?\w
important  \b(?:this|it|that)(?: is|'s| one's)(?: very| really| super)? important[:,.!]
know  \byou (?:should|need to|must) know (?!this|that (?:already|by now)|it\b|better|already)\w|\bwant you to know\b
always|never|ever  ^\W*(?:please |so |also |and |yes, )?(?:always|never|(?:don't|do not) ever) (?!mind|again|been|had|seen|heard|knew|thought|said|got|have|here|give up)\w+ \w|\b(?:please|you must|you should|you to|sure to|sure you) (?:always|never) \w
stop  <open>stop (?:using|adding|writing|saying|sending|putting|making|giving|showing|including|apologi[sz]ing|being)\b
call me  <open>call me (?!back|when|if|an?\b|at|in|tomorrow|later|crazy|maybe|on)\w
prefer|rather  ^i(?:'d| would)? (?:much |always |generally )?(?:prefer|rather)\b
i want|i'd like  \bi(?:'d like| want) (?:you to (?:always|never)|(?:(?:all|every|each|your|any) )?(?:replies|answers|summaries|messages|reports|responses))\b
whenever|every time|each time  ^\W*(?:whenever|every time|each time) (?:i|you|we|someone)\b[^?,]*, (?!i (?:think|feel|remember|get|love))
agreed|decided|settled|concluded|opted|voted|chose|resolved|went with|gone with  \b(?:we|i|team|everyone)<have> (?:agreed|decided|settled on|concluded|opted|voted|resolved|went with|gone with)\b|\b(?:we|team)<have> chosen?\b
decided  ^(?:just )?decided\b
go with|going with|stick with|sticking with|settle on  \b(?:let's|we're|we'll|we will|i'm|i'll) (?:go|going|stick|sticking|settle) (?:with|on) (?!you|him|her|them|friends|my\b|me\b)
plan  \b(?:the|our|my|new|current|final) plan(?:'s| is| was)? ?(?:now )?(?:to\b|for\b|that\b|:)|^plan is to\b
! ^(?!.*\b(?:can you|could you|would you|will you|i said)\b|.*, ?(?:ok|okay|please|right|alright|will you)\?$).*\?$|\b(?:no|not|n't|yet|never) (?:to )?(?:agreed|decided)|(?<!forget )(?<!remember )\bwhat we agreed|\bby now\b
! \b(?:i|i'll|i'd|we|you|you'll|they|he|she|will|would|can) never forget|(?:forget|remember),? (?:to )?(?:just|take (?:breaks|care|a break)|stay|believe|smile|breathe|enjoy|have fun|rest|be (?:kind|proud)|i'm always)\b
! \b(?:wish|if|when|until|unless|did|whether|dream)\b.{0,9} (?:we|i|team|everyone) (?:agreed|decided)|\b(?:agreed|decided) (?:to disagree|on nothing)
"""
_TOLD = r"""
 told you| told ya|telling you|tell you  \bi<have> (?:told|telling) (?:you|ya)\b(?! so\b)|\bi (?:keep|did|have to)(?: \w+)? tell(?:ing)? you
 told you| tell you  \b(?:didn't|(?<!what )did|haven't|have|what did(?! i tell you (?:about|of)\b[^.!]*\?)) i (?:not |already |just )*(?:tell|told) you(?! (?:when|where|what|who|which|how)\b[^.!]*\?)|^\W*(?:already|just) told you|\byou were told
said|mentioned|explained|wrote  \b(?:as|like) i<have> (?:said|mentioned|explained|wrote)\b|\bi said so\b|\bi literally (?:just )?said\b
said|mentioned|explained|answered|gave|given|sent|asked  \bi<have> (?:already|just|clearly|specifically|repeatedly) (?:said|mentioned|explained|answered|gave you|given you|sent you|asked you)\b
said|mentioned|explained|answered|asked|gave|wrote|sent  \bi<have> (?:said|mentioned|explained|answered|asked|gave|wrote|sent)\b[^.!?]{0,40} <time>
said|mentioned  \bi said [^.!?,]{1,40},? not\b|\bi already (?:said|answered|explained)|\bthought i(?:'d| had)? (?:already )?(?:mentioned|told|said)
talked|discussed|gone |went |covered|been over|been through|spoke  \b(?:we|i)<have> (?:talked|discussed|gone over|went over|covered|been over|been through|spoken?)(?: about)? (?:this|that|it|these|all)\b
talked|discussed|went over|spoke|agreed  \bwe(?:'ve| have)? (?:already|just) (?:talked|discussed|went over|spoke|agreed)|\bwe<have> (?:talked|discussed|went over|spoke|agreed)[^.!?]{0,50}(?: <time>|, remember)
didn't we|haven't we|wasn't it|didn't i|haven't i  \b(?:didn't|haven't|wasn't) (?:we|i|it) (?:already |just )*(?:discuss|talk|agree|go over|gone over|cover|decide|settle|been over|say|mention)
forgot|forget  \byou(?:'re)?<have> (?:forgot|forgotten|forget|forgetting)\b|\b(?:did|didn't|have|haven't) you (?:\w+ )?forg[eo]t|\bwhy do you (?:\w+ )?forget|^forgot again
remember|recall  \b(?:(?:don't|can't|couldn't) you (?:\w+ )?|do you (?:\w+ )?not (?:even )?|you (?:don't|can't|didn't|never) (?:even |ever )?)(?:remember|recall)
remember|know  \byou (?:should|ought to|were supposed to) (?:really |already )?(?:have (?:known|remembered)|(?:remember|know) (?:(?:this|that|it)\W*$|[^.!?]{0,30}(?:by now|already)))
remember  \bremember\W+i (?:said|told|already|mentioned)|, remember\?
times|often|time  \bhow (?:many (?:more )?times|often) (?:do|must|should|will|have) i\b|\b(?:for|that's) the (?!first)\w+ time\b
asked|asking|calling|getting|repeat  \bstop (?:asking|calling) me\b|\byou<have> asked (?:me )?(?:this|that)\b|\byou keep (?:asking|calling|getting)|\bi (?:shouldn't|don't|hate|keep|have)\b[^.!?]{0,9} repeat
! \b(?:since we last|if|in case|unless|until|once|when|whenever|because|lest|wish|glad|hope|says?|she said|he said) (?:that )?(?:i|you|we)<have> (?:told|mention|talk|discuss|forg|went)
! \b(?:said|mentioned|told(?! you\b)|explained|talked|sent|gave)(?: (?!how\b|about\b|i\b|i'm\b)\w+){0,3} (?:to|with) (?!you\b|me\b|be\b|use\b|not\b|the\b|a\b|my\b|this|that|it\b)\w+
! \b(?:can|could|may|should|will|won't|never) forget|password|forgot-|about (?:you|him|her|them|us)\b
"""
_CHANGES = r"""
no|nope|nah|noo|wrong|incorrect|not quite  ^(?:\w+, ?)?(?:no+|nope|nah|wrong|incorrect|not quite)(?:[,.;:!-]+ ?| )(?:sorry,? |wait,? |actually,? )?(?:(?:it|that|he|she|we|they|i|there)(?:'s|'re|'m|'ve)?|its|this|the|my|our|his|her|their|on|at|in|use|make|say) \S
no|nope|nah|wrong|incorrect  ^(?:(?:wait|sorry|oh|ah|hm+|uh+),? )?(?:no+|nope|nah|wrong|incorrect)(?:,? (?:wait|sorry))?(?:[,;:] ?| - )(?!thank|gracias|grazie|va bene|merci|danke|problem|worr|need|i'm|all|just|really|not|why|how|what|can|could|please|you|it's (?:ok|fine))\S\S|^no\. (?:my|our|the|it|i) \S
actually|in fact|in reality  (?:^|[,.;:!?] |\b(?:but|and|so|well|no) )(?:actually|in fact|in reality),? (?!i (?:think|agree|love|like|just|can|need)|can\b|could|yes|never|let's (?:see|try))\S+ \S
actually  ^[^?]{4,80}[, ]actually[.!]*$|\bi actually (?:prefer|live|work|use|have|eat|drink|am|don't)|(?:'s| is| was| are|\b(?:it|he|she)) actually (?!<fine>|t?here\b|love|like|went|thought|do)\w
but  ^(?:yes|yeah|right|correct|true|almost|close|(?:[\w']+ ){1,3}right)\b,? but (?!thank|can|could|how|what|why|i\b)\S+ \S
no longer|instead|rather than|outdated|out of date|out-of-date|obsolete|stale|these days|nowadays|currently|as of|scratch that|strike that|other way round|other way around|my mistake|my error|correction
ago  \b(?:from|was|is) [^.!?]{1,25} (?:years?|months?|ages|weeks?) ago
more|anymore  \b(?:not|no|never|nobody|\w+n't)\b[^.!?]* any ?more\b
 over   \b(?:chose|choosing|picked|choose) [^.!?]{1,30} over \w
 old  \b(?:the|an|my|his|her|our) old (?!days|story|joke|man|lady|friend|school|town)\w|\b(?:is|was|that's) old\b
used to  (?<!is )(?<!are )(?<!was )(?<!be )(?<!get )(?<!'m )(?<!'s )(?<!got )(?<!'re )\bused to (?!it\b|that\b|this\b)\w
<done>  (?:^(?!don't|please|never|let's)[\w'-]+|\b<who>)(?: (?:just|recently|finally|already|all|have|has|had))* ?\b(?:<done>)\b(?! (?:to (?:think|feel|wonder|cry|laugh)|laughing|crying|by\b|off\b|on\b|reading|a fight))
<done>  (?:\b(?:been|was|were|got|is|are|being)|'s) (?:just |now |recently )?(?:<done>)\b
went up|went down|gone up|gone down|up to|back to|part-time|full-time|rid of  \b(?:went|gone) (?:up|down|back|part-time|full-time)\b|\bgot rid of\b|\b(?:is|are) (?:up|down) (?:to|from)\b
now  (?:\b(?:is|are|has|have|i|we|he|she|they|it|name)|'s|'re|'m|'ve) now \w|\b(?:is|are|it's|i'm|we're|he's|she's|they're|use|using|lives?|living|works?|called|runs?|at|in|on|by) [^.!?]{2,40}(?<! from) now\b|^(?:\w+, )?(?:i|we|he|she|they|it|the|my|our|his|her|their|[\w-]+'s?) [^.!?]{2,60} now[.!]*$
since  \bsince (?:last \w+day|last (?:week|month|year|spring|summer|autumn|fall|winter)|yesterday|january|february|march|april|may|june|july|august|september|october|november|december|\w+day|20\d\d|(?:i|we|he|she|they) (?:<done>))\b
new  \b(?:my|our|his|her|their|the) new (?!year|idea|line)[\w-]+(?: \w+)?(?: is|'s| are| was|:)|\b(?:got|have|bought|has) an? new \w+
not |isn't|wasn't|aren't  (?:\bnot|n't) [^.!?,]{1,40}[,;.] (?:rather )?(?:it|he|she|they|that|i)(?:'s|'re|'m| is| are| was| am)\b|(?:\b(?:is|are|was) not|n't) [^.!?,]{1,30} but (?!i\b|it\b|we\b|you\b|he\b|she\b|they\b|there|this|that|still)\w
not   ^not (?!now|yet|really|sure|bad|only|just|so|too|even|that|this|all|if|again|an?\b|the\b|for|to|in|on|at|any)[^,.!?]{1,25}, [^,.!?]{1,25}[.!]?$
 not   ^(?:\w+, )?[^.!?,]{3,60}, (?:and )?not (?!sure|only|just|yet|that|really|so|too|very|if|at all|<fine>)(?:[\w@.:'/+-]+ ?){1,5}[.!]*$
 not   (?:\b(?:is|was|are|i|we|at|on|in|use|uses|mean|takes?|lives?|works?|called)|'s|'m|'re) (?:[\w@.:'/+-]+ ){1,5}(?<!is )(?<!are )(?<!'s )(?<!'re )(?<!'m )(?<!do )(?<!does )(?<!did )(?<!will )(?<!might )(?<!could )(?<!if )(?:- )?not (?!sure|only|just|yet|<fine>)(?:[\w@.:'/+-]+ ?){1,4}[.!]*$
wrong|incorrect|right|true|correct|accurate|mistaken|false|up to date|the case  \b(?:that|this|it|you|(?:your|the|my|our|his|her|their|[\w-]+'s) \w+|which|info)(?:'s| is| was|'re| are)(?: (?:simply|plain|just|still|all|quite|long))* (?:wrong|incorrect|inaccurate|mistaken|false|not (?:quite |really )?(?:right|true|correct|accurate|up to date|the case))\b
isn't|wasn't  \b(?:that|this|it)(?: is)?n't (?:quite |really |actually )?(?:right|correct|true|accurate|my|what i|the case)
wrong|mix|confus|misspel|misunder|misread|swapped|backwards|thinking of  \byou(?:'ve|'re)?\b[^.!?]{0,30} (?:wrong|mix(?:ed|ing) (?:\w+ ){0,3}up|confus\w+|misspel\w+|misunderst\w+|misread|swapped|backwards|thinking of)\b|\bwrong (?:day|person|name|year|month|one|number|address|date|time|spelling|\w+ name)\b
correct|update|edit|oops|typo|sorry|wait  ^\W*(?:\w+ )?(?:correction|update|edit|oops|typo)\b ?(?:[:,.!]| -)|^(?:\w+, )?(?:sorry|wait),? (?!an?\b|wrong|to|for|about|i'm|if|that|can|could|what|but)\w+ \w|\bcorrect (?:that|this|it)\b
meant|mean|misspoke|was wrong|was mistaken|change of plan  \bi (?:actually |really )?mean[t]? (?!it\b|that\b|well|to (?:ask|call|tell|send|be|do)|so\b|a lot)\w|\bmeant to (?:say|write)|\bi misspoke\b|\bi was (?:wrong|mistaken)\W+(?!i\b)\S+ \S|\bchange of plan
from now on|as of  ^\W*(?:from now on|as of (?:now|today|tomorrow))\b[^.!?]* (?:is|are|has|have|runs?|starts?|begins?|costs?|opens?|closes?) [^.!?]*\d
make that|make it  (?:^|, )make (?:that|it) (?!work|so\b|happen|an?\b|short|long|more|better|sound|look|stop|possible|sure|clear|easy)\w
should be|should have been|supposed to be|it should  \b(?:it|that|name|date|number|address)(?: \w+)? should (?:be|read)\b|\b(?:is|was|'s) supposed to be\b
*  ^\*[\w'-]+(?: [\w'-]+){0,2}[.!]?$|^[\w'-]+(?: [\w'-]+){0,2}\*$
spelled|spelt|pronounced|called  \b(?:it's|its|name's|is) (?:spelled|spelt|pronounced)\b|\bit's called\b
use   ^(?:please )?use [^.!?]{1,40}, not |^use (?:port )?[\w.:/-]*\d[\w.:/-]*$
! \?$|^thank|\bwhat's wrong|\bnothing wrong|\b(?:if|when|what|how|why|whether) (?:i|they|we|you|he|she|it) (?:\w+ )?(?:<done>)\b
! \b(?:no|nope|nah|actually)[,.!]* (?:it's|it is|it was|that's|that is|that was|this is) <fine>|\bno (?:worries|problem|idea|doubt|way|need|rush|thanks?)\b
! \bno,? (?:my (?:bad|pleasure|god)|not (?:yet|really|at all|now|today|me)|i'm (?:fine|good|ok|done)|the (?:weather|view|food))\b
! \b(?:the|our|my|this|that) [\w-]+ (?:(?:has|have|just) )*(?:started to|stopped (?:working|responding))\b
! \bi'm (?:home|here|back|at)\b|\b<task>(?: \w+){0,2} (?:<done>)\b
! \b(?:<done>) (?:\w+ ){0,3}<task>\b|\b(?:right|for|by|just|or never) now\b|\bnow (?:that|and then|or never)\b
! (?:\b(?:is|are|am|be)|'s|'re|'m) (?:now )?<fine>[^.!?,]* (?:now|nowadays)\b
"""
_OPT_OUTS = r"""
don't|do not|never  (?:<open>|^actually )(?!don't you remember\b)(?:please )?(?:don't|do not|never) (?:you )?(?:ever |even |try to |dare (?:to )?)?<keep> (?:any of )?<this>
don't|do not|never  \b(?:don't|do not|never) bother (?:to )?(?:<keep>|remembering|saving|storing|noting)
you must|you should|you may  \byou (?:must|should|may)(?: not|n't) (?:ever )?<keep> (?:any of )?<this>
this must|this should|this may|this is not  \bthis (?:(?:must|should|may)(?: not|n't)|is not to) be (?:remembered|memori[sz]ed|saved|stored|recorded|logged|kept|noted|written down)(?: anywhere| in (?:your |the )?memory)?\W*$
don't want|do not want|never want  \b(?:don't|do not|never) want (?:any of )?(?:this|that|it|these|those) (?:to be )?(?:remembered|memori[sz]ed|saved|stored|recorded|kept|noted|written)\b
no need|no reason|need to|have to|needn't|no use  \b(?:no (?:need|reason) to|(?:don't|do not|doesn't) (?:need|have) to|needn't|no use in) <keep>
not worth  \bnot worth (?:remembering|saving|storing|noting|keeping|writing down)
forget  <open>(?:please )?(?:you (?:can|may|should) )?forget (?:(?:all of this|this conversation|about this)\b|this\W*$)
memory|notes|files|folder  \b(?:delete|remove|erase|wipe|keep|leave) (?:this|that|it|these) (?:from|out of) (?:your |the |my )?(?:memory|notes|files|folder)\b
record  \boff[ -]the[ -]record\b
"""
_COMMANDS = r"""
instruction|prompt  \b(?:ignore|disregard|forget|override|bypass|void|cancel)\b[^.!?]{0,40}\b(?:instructions?|prompts?)\b|\bsystem prompt\b
instruction|rules  \b(?:previous|earlier|prior|above|existing|former|other|old|original)(?: \w+)? (?:instructions?|rules) (?:are|is|were|have been|no longer)\b
"""

_TABLES = {MEMORY: _ORDERS, EXPLICIT: _TOLD, SOFT: _CHANGES, OPT_OUT: _OPT_OUTS, COMMAND: _COMMANDS}
# The twenty patterns of the source; beside each the words that a sentence must hold, and what rules a hit out.
PATTERNS = (
    ("M1", MEMORY, r"remember (that|this|when)", "remember ", r"\b(?:can't|cannot|couldn't|don't|didn't|doesn't|do|did|does|not|never|i|we|they|he|she|who|always|still|will|would|i'll|(?:hard|easy|difficult|trying|want|how) to)"
        r" (?:ever |even |really |also |still |always )*remember|remember when (?:we|you|they|he|she)\b|^remember (?:that|this) [^.!]*\?"),
    ("M2", MEMORY, r"don't forget", "don't forget", r"\b(?:we|they|you|i) don't forget|forget to (?:smile|breathe|rest|have fun|enjoy)\b"),
    ("M3", MEMORY, r"important:", "important:", r"\b(?:more|less|how|not|so|why|is (?:it|this|that)) important:|important: [^.!]*\?$"),
    ("M4", MEMORY, r"decision:", "decision:", r"\b(?:court|judge|jury|his|her|their|any|tough|hard|bad|no|what|which)(?: \w+)? decision:|decision: [^.!]*\?$"),
    ("M5", MEMORY, r"we agreed", "we agreed", r"\b(?:had|think|thought) (?:that )?we agreed"),
    ("M6", MEMORY, r"the plan is", "the plan is", r"\b(?:what|know|if|whether|until|once|sure) the plan is|plan is (?:not|still)? ?(?:final|fixed|clear|ready|open|unclear)\b"),
    ("M7", MEMORY, r"note to self", "note to self", r"\b(?:a|the|his|her|their) note to self"),
    ("E1", EXPLICIT, r"i (already|just) told you", " told you", ""),
    ("E2", EXPLICIT, r"we (talked|discussed|went over) (about |this)", "we talked|we discussed|we went over", r"about \w+ing (?:an?|the|my|our|to|in) |(?:this (?:film|movie|book|song|show)|about (?:you|him|her|them|us))\b"),
    ("E3", EXPLICIT, r"you forgot", "you forgot", r"you forgot-|you forgot your (?:umbrella|phone|keys|coat)"),
    ("E4", EXPLICIT, r"remember when i said", "remember when i said", r"i said i(?:'d|'ll| would| will)\b"),
    ("E5", EXPLICIT, r"i mentioned (this|that|it) (before|earlier|already|yesterday|last)", "i mentioned ", ""),
    ("E6", EXPLICIT, r"no,? (i said|it's|it was|my)", "no, i|no, my|no i|no my", r"\bno,? my (?:bad|god|pleasure|friend)\b|\bno,? it(?:'s| was) <fine>|<kind>"),
    ("E7", EXPLICIT, r"how many times", "how many times", r"how many times(?!\W*$|[!?:,]|.{0,40}\b(?:sa(?:y|id)|tell|told|repeat|explain|remind|ask|correct|answer|forg[eo]t|wrong|go (?:over|through)))"
        r"|\b(?:count|see|know|check|wonder|find|matter) how many times"),
    ("E8", EXPLICIT, r"don't you remember", "don't you remember", ""),
    ("S1", SOFT, r"actually,? (it's|it was|the|I|we|that)", "actually", r"\b(?:is|are|was|were|'s|do|does|did|has|had|can|not|what|how|it|he|she|i|to) actually|actually,? i (?:agree\b(?! (?:to|on)\b)|think (?:that's|it's|you're|this is)|(?:love|like) (?:it|this|that|your)\b|can (?!only)|have an? (?:question|idea))"),
    ("S2", SOFT, r"no,? (it's|that's|the) ", "no, it's|no, that's|no, the|no it's|no that's|no the", "<kind>"),
    ("S3", SOFT, r"i (changed|switched|moved|updated|stopped|started) ", "i changed|i switched|i moved|i updated|i stopped|i started", ""),
    ("S4", SOFT, r"that's (not right|wrong|outdated|old)", "that's ", r"(?:what|nothing|something|if|think|say|one|thing) that's|that's old(?:-| (?:news|school|enough))"),
    ("S5", SOFT, r"it's .{1,30} now", "it's ", r"it's <fine>"),
)  # fmt: skip
_KIND = r"\b(?:there's|have|has|had|got|with|of|and|say|says|said|is|are|was|were|see|in|oh|uh|hell|god) no,?"


def _rule(name: str, route: str, pattern: str, needed: str, unless: str) -> Rule:
    """Return the pattern for whole words in lower case: ``no, the`` is not in "Domino, the"."""
    # a search skips to a letter, but not to a negative look-behind
    letter, rest = pattern[0], pattern[1:].lower()
    against = "\n".join(line for line in _TABLES[route].splitlines() if line.startswith("!"))
    table = f"{needed}  {letter}(?<!\\w{letter}){rest}(?:(?<=\\W)|(?!\\w))\n{against}"
    return Rule(name, route, filled(f"{table}\n! {unless}" if unless else table, {**NAMES, "kind": _KIND}))


LITERAL = tuple((name, route, Lazy(pattern, flags="i")) for name, route, pattern, *_ in PATTERNS)
RULES = (*(_rule(*row) for row in PATTERNS), *rules_of("en", _TABLES, NAMES))
