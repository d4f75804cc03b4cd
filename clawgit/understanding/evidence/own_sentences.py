"""The sentences of a message in the operator's own words, and whether they state something. Pure.

A person types a few sentences and lists. A page, a prompt, a letter, a quotation are material: of a long
text, only the orders in its first and last line count.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from clawgit.memory.entries.statements import sentences_of
from clawgit.text.comparing.similarity import words
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.dialogue_blocks import LABELS
from clawgit.text.words.stopwords import GERMAN
from clawgit.text.words.word_lists import CAPITALS, HAN_OR_HANGUL, MONTH, WEEKDAY, any_word_of
from clawgit.understanding.evidence import said_words as signs
from clawgit.understanding.evidence.said_words import says_nothing, spelled
from clawgit.understanding.forms.sentence_forms import ORDERED, any_form, whole_words
from clawgit.understanding.forms.user_words import tells_of_himself
from clawgit.understanding.patterns.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterator

IS_QUESTION, IS_OF_A_CASE, IS_REPORT = "is a question", "is about one case", "tells what somebody else said"
IS_WISH, IS_MADE_UP, IS_PAST = "tells of a wish or a plan", "is made up", "tells of the past"
LONGEST = 16_000  # characters read of a message
_CUT = lazy_pattern(r"\s*(?:\.\.\.|…)\s*")
_BELOW = 3  # lines: a signature is so near its closing
_LONGEST_CLOSING = 200  # letters of a line

# A thing by its article: `the van`, `unser Lieferant`; not what `it is the van` says.
A_THING = lazy_pattern(
    r"(?<!s )\b(?:(?i:the|my|our|his|her|their|el|los|las|les|mon|mes) [^\W\d][\w']*(?: [^\W\d][\w']*)?|(?i:der|die|das|dem|den|meine?[nmrs]?|unsere?[nmrs]?) (?:[a-zäöü]+e[nmrs]? )?[A-ZÄÖÜ]\w+)"
)
# No greeting of an agent, and no talk has a mail's head.
_FORMAL = lazy_pattern(
    r"\s*(?:dear (?!diary|god|lord|me\b)[\w.'’-]+(?: [\w.'’-]+){0,4}[,:]|sehr geehrte|to whom it may concern"
    r"|(?:(?:尊敬|亲爱|親愛)的?|各位)[^，,。！!\n]{1,12}[，,：:！!]|[^\n,.]{0,12}(?:님께|여러분|귀하)[,.:!]?[ \t]*$"
    r"|(?:(?:subject|betreff|主题|主旨|主題|제목|发件人|寄件者|보낸 ?사람)[ \t]*[:：]|(?:re|fwd?|aw|wg|答复|转发|回复)[:：][ \t])[^\n]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = lazy_pattern(
    r"(?:all the best|best|best wishes|(?:with )?(?:best |kind |warm |warmest )?regards|cheers|(?:yours )?sincerely|yours(?: truly)?|love|(?:many )?thanks"
    r"|(?:mit freundlichen|viele) grüße|cordialement|saludos|此致|敬礼|敬禮|祝好|谢谢|謝謝|敬上|감사합니다|고맙습니다)[,.!。]?",
    re.IGNORECASE,
)
_SIGNED = lazy_pattern(r"[가-힣 ]{2,14} (?:드림|올림|배상)|[\u3400-\u9fff]{2,6}(?:敬上|谨上|謹上)")


def without_letter(text: str) -> str:
    """Return a message, empty if it is a letter, whoever signed it: it may be written for another person."""
    last = list(filter(None, map(str.strip, text.splitlines())))[-_BELOW - 1 :]
    is_signed = len(last) > 1 and _SIGNED.fullmatch(last[-1][:_LONGEST_CLOSING]) is not None
    is_closed = any(_CLOSING.fullmatch(line[:_LONGEST_CLOSING]) for line in last[1:-1])
    return "" if is_signed or is_closed or _FORMAL.match(text) else text


def is_question(text: str) -> bool:
    """Say whether a text ends as a question does, in any language."""
    return text.rstrip().endswith(ASKING)


MOST_LINES = 12  # of a typed message
LONGEST_LINE = 170  # characters, on average
ASKING = ("?", "？", "؟")
FEWEST_PARTS = 3  # of a text below a question about it: sentences after an empty line, else lines
_ADDRESSED = lazy_pattern(r"[^.?。？\n]{2,40}[,:!，：！]")
_NAME_BELOW = lazy_pattern(r"(?:[^\W\d_][^\s\d.!?。！？]*[ \t]*){1,3}")


def without_asked_about(text: str) -> str:
    """Return a message up to the text that its question is about; of a letter with a question below, the question."""
    lines = text[:LONGEST].strip().splitlines()
    is_above = len(lines) > _BELOW and not lines[-2].strip() and lines[-1].rstrip().endswith(ASKING)
    if is_above and _ADDRESSED.fullmatch(lines[0].strip()) and _NAME_BELOW.fullmatch(lines[-3].strip()):
        return lines[-1]
    for count, line in enumerate(lines[:MOST_LINES], start=1):
        if line.rstrip().endswith(ASKING) and _is_asked_about(lines[count:], lines[:count]):
            return "\n".join(lines[:count])
    return text


def _is_asked_about(lines: list[str], above: list[str]) -> bool:
    """Say whether lines are the object of the question right above: none of them is an order to remember.

    If the question points at them, they are several sentences, or not about the writer. After an empty line
    they are several sentences, below a question not about the writer. Else they are at least three lines not
    about the writer.
    """
    block = "\n".join(lines)
    sentences = sentences_of(block)
    if any(map(ORDERED.search, (above[-1], *sentences))):
        return False
    is_of_himself = tells_of_himself(block)
    if _POINTS_AT.search(above[-1]):
        return not is_of_himself or len(sentences) > 1
    if not "".join(lines[:1]).strip():
        return len(sentences) > 1 and not tells_of_himself(above[-1])
    return len(above) == 1 and not is_of_himself and len(list(filter(str.strip, lines))) >= FEWEST_PARTS


_MOST_READ = 240  # characters of a line: entries are not longer

_PUT_OUT = lazy_pattern(
    r"(?m)^[ \t]{0,8}(?:(?:[\w.-]+@[\w.-]+[:~ ][^\n$#]{0,40})?[$#❯][ \t]+[a-z./~]|>>> |PS [A-Z]:\\|[A-Z]:\\[^\n>]{0,60}>|Traceback \("
    r"|(?:\[?[\d:T.,/ -]{5,30}Z?\]?[ \t]+|[a-z]{2,10}[ \t]+)?\[?(?:WARN|WARNING|ERROR|ERR!|INFO|DEBUG|FATAL|TRACE)\b|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?[ \t]*-->"
    r"|(?:[A-Z][a-z]{2} [ \d]\d |\d{4}-\d\d-\d\dT)\d\d:\d\d:\d\d\S*[ \t]\S+[ \t][\w./-]+(?:\[\d+\])?:[ \t])"
)


def before_printed(text: str) -> str:
    """Return a message up to program output."""
    printed = _PUT_OUT.search(text) if "\n" in text else None
    return text[: printed.start()] if printed else text


_TAKEN_OUT = " "  # the rest of a quotation or code block in `own_words`


def without_pages(text: str) -> str:
    """Return a message up to program output; of a long one, the orders to remember in its first and last line."""
    if "\n" not in text and len(text) <= MOST_LINES * LONGEST_LINE:
        return text
    lines = [line for line in before_printed(text).splitlines() if line.strip() or line == _TAKEN_OUT]
    if len(lines) <= MOST_LINES and sum(map(len, lines)) <= MOST_LINES * LONGEST_LINE:
        return "\n".join(lines)
    orders: list[str] = []
    for line in (lines[0], *lines[1:][-1:]):
        sentences = sentences_of(line) if len(line) > _MOST_READ else (line,)
        orders += filter(ORDERED.search, dict.fromkeys((*sentences[:1], *sentences[-1:])))
    return "\n".join(orders)


_PAIRS = ('""', "“”", "„“", "«»", "「」", "『』", "《》", "‘’", "''")
_LONGEST = 4000
_WHOLE = lazy_pattern(r"\n|[.!?]\s|[。！？]")  # more than one sentence, or a whole one
_NAME_WORDS, _NAME_LETTERS = 2, 6  # shorter quotations are names or expressions, and stay
_PLAIN_LETTERS = 4  # of small words in a title, `The Lord of the Rings`: all are shorter


def _quoted(pair: str) -> str:
    begin, end = map(re.escape, pair)
    if begin == end:  # an apostrophe or an inch sign is inside or after a word
        return rf"(?<![\w]){begin}(?=\S)(?:[^{end}]|(?<=\w){end}(?=\w)){{1,{_LONGEST}}}{end}(?![a-zA-Z])"
    return rf"{begin}[^{begin}{end}]{{1,{_LONGEST}}}{end}"


_QUOTED = lazy_pattern("|".join(map(_quoted, _PAIRS)))


_I_AM = lazy_pattern(r"(?i)\A\W*im (?=(?-i:[a-z]))")


def without_quoted_words(sentence: str) -> str:
    """Return a sentence with a mark for each quotation; a name in quotation marks stays. `im allergic …` is `I'm allergic …`."""
    if _I_AM.match(sentence) and GERMAN.isdisjoint(sentence.lower().split()[1:]):
        sentence = _I_AM.sub("I'm ", sentence)
    return _QUOTED.sub(lambda match: match.group() if _is_name(match.group()) else "…", sentence)


def _is_block(text: str, match: re.Match[str]) -> bool:
    if _is_name(match.group()):
        return False
    before = text[: match.start()].rpartition("\n")[2].strip(" \t>*-")
    behind = text[match.end() :].partition("\n")[0].strip(" \t.,。")
    return _WHOLE.search(match.group()) is not None or not (before or behind)


def _is_name(quoted: str) -> bool:
    if HAN_OR_HANGUL.search(quoted):
        return len(quoted) - 2 <= _NAME_LETTERS
    is_title = all(part[0].isupper() or len(part) < _PLAIN_LETTERS for part in quoted[1:-1].split())
    return is_title or len(words(quoted)) <= _NAME_WORDS


_LINE, _ENDS = r"^[ \t]{0,8}", r"[ \t]*$"
_BEGINS = r"(?m:^|[.!?] )[ \t]{0,8}(?:please |ok |so |hey |now |can you |could you |help me ){0,3}"
_WORK = (
    "(?:translate|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|shorten|polish|condense|repeat after me"
    r"|(?:correct|improve|check|fix|edit) (?:this|the|my) (?:text|sentence|grammar|spelling|paragraph|letter)"
    r"|make (?:this|it) (?:sound|shorter|nicer|better|more)|what does (?:this|that|it) mean|is (?:this|that|my) (?:sentence|text|grammar)|how does (?:this|that) sound)"
)
_TEXT = "(?:code|diff|patch|snippet|function|script|query|text|prompt|draft|paragraph|letter|essay|article|story|poem|contract|clause|cv|resume|e-?mail|mail|message|post|tweet|page|list|data|log|answer)"
_TO_DO = "(?:review|improve|explain|analy[sz]e|debug|critique|grade|rate|evaluate|refactor|optimi[sz]e|simplify|format|extract|classify|fact-?check|verify|reply to|respond to|comment on)"
_JUDGED = (  # the text to judge follows a colon, a line's end or a question mark
    rf"{_TO_DO}\b[^.!?:\n]{{0,30}}\b(?:this|these|that|my|our|the following|{_TEXT})"
    r"|(?:is|are) (?:this|that|these|it) (?:an? )?(?:scam|spam|phishing|fraud|hoax|fake|real|legit\w*|genuine)"
    rf"|what do you think (?:of|about) (?:this|these|my) (?:opening|intro|title|line|{_TEXT})|which (?:one |of these )?sounds better|check (?:this|these|it) for (?:typos|errors|mistakes)"
    r"|(?:what(?:['’]s| is) wrong with|thoughts on|feedback on|any (?:bugs|errors|mistakes) in) (?:this|these|my|the)"
)
_TOLD = r"(?<!\bi )(?<!\bwe )(?<!\byou )(?:said|says|wrote|writes|sent|texted|messaged|mailed|emailed|replied|answered)"
_THING = "(?:notes|minutes|lyrics|poem|song|poll|survey|transcript|chat)"
_NAME = rf"(?-i:[{CAPITALS}])[\w'’-]{{1,30}}"
_TIME = r"\[?(?:\d{1,2}[ ./-]?\w{2,9}[ ./-]?\d{2,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]?:?"
_LABEL = any_word_of(", ".join(LABELS))
_SPEAKER = rf"^[ \t]{{0,8}}(?:[-*•] )?(?:{_TIME} +)?<?@?(?!{_LABEL}:){_NAME}(?: {_NAME})?>?(?: \({_TIME}\))?:"
_MADE_UP = r"imagine, pretend, play (?:an?|the) (?=[\w ]+:), let['’]?s pretend, suppose, let['’]?s say, let['’]?s assume, assume, role-?play, let['’]?s play, act as, hypothetically, (?:for the|my|a) persona(?=:), sample (?:user|text|data)(?=:), practi[cs]e (?:dialog\w*|text)(?=:)"

# A line about no one's life that points at the lines below it.
_NOT_HIS = (
    r"(?!.*\b(?:i|i['’]m|i['’]ve|my|our|we|about me|remember|mind|forget|important|from now on|that['’]s it|ich|wir|mein\w*|merk\w*|vergiss|wichtig|mi|mis|recuerda|mes|mon|ma|retiens)\b)"
    r"(?!(?:please )?note\b)(?!.*(?:我|记住|記住|重要|以后|기억|내 |제 |중요|앞으로))"
)
_POINTER = (
    r"(?:\b(?:this|these|below|(?:the )?following|here|thoughts|opinion|you think|wrong|diese[rsmn]?|dies|davon|folgende\w*|das so|das mal|est[aeo]s?|ça|ceci|cela)\b"
    r"|[这這]|以下|이거|이것|이 글|다음)"
)
_POINTS_AT = lazy_pattern(rf"(?im)^{_NOT_HIS}[^.!。！\d\n]{{0,60}}{_POINTER}[^.!。！\d\n]{{0,14}}[?？]\s*\Z")
_POINTS_BELOW = (
    rf"^{_NOT_HIS}[^.!。！\d\n]{{0,60}}{_POINTER}[^.!。！\d\n]{{0,14}}[:：][ \t]*\n"
    rf"|^{_NOT_HIS}[^.!\d\n]{{0,60}}\b(?:that|it|reads|states|hier|draft|text)\b[^.!\d\n]{{0,30}}[:：][ \t]*\n"
    rf"|^{_NOT_HIS}(?:(?:please|ok|so|hey) ){{0,2}}(?:look at|see|read|check|take a look|have a look|here(?:['’]s| is| are))\b[^.!?\d\n]{{0,60}}[ \t]*\n"
    rf"|^{_NOT_HIS}(?:(?:please|ok|so|hey|bitte) ){{0,2}}(?:look|schau\w*|guck\w*|sieh|regarde[sz]?|mira|kijk)(?: (?:at|dir|mal|here|hier|an|das|esto|ça|eens|moi|bien|now|please|bitte)\b){{0,3}} ?[:：?？][ \t]*\n(?!{_TAKEN_OUT}(?:\n|\Z))"
)

# The text after it is another person's, or material for a task.
_PASTED = any_form(
    _POINTS_BELOW,
    rf"^.{{0,80}}\b{_TOLD}(?: (?:me|us|back|this|that|today|just now))*(?:[:：]{_ENDS}|[ \t]*\n)|^.{{0,60}}\bjust {_TOLD}(?: me| us)?:",
    rf"{_LINE}{_NAME}(?: {_NAME})?,?(?: +|{_ENDS}\n){_TIME}{_ENDS}|^.{{0,12}}(?:发来的?|写道|回复|转发)[^。\n]{{0,6}}[:：]",
    rf"^(?:.{{0,60}} )?from (?!(?:now|today|yesterday|work|last|this)\b)(?:my |our |the )?[\w'’-]+(?: [\w'’-]+)?:{_ENDS}",
    rf"{_BEGINS}{_WORK}\b[^.!?:\n]*[.!?:\n]|^.{{0,40}}\b{_THING}\b.{{0,40}}[:?]{_ENDS}",
    rf"{_BEGINS}(?:{_JUDGED})\b[^.!?:\n]{{0,60}}(?:[:：\n]|[?？](?:\s|$))|{_BEGINS}{_TO_DO}[:：]{_ENDS}",
    rf"{_BEGINS}(?:{_TO_DO}|check|read|understand|(?:look|go|read) (?:at|over|through)) (?:this|these|the following) {_TEXT}\b[^.!?:\n]{{0,60}}[.?？!:：]?[ \t]*\n",
    # said of the rest of the line: `This landed in my inbox today.`, `Let me read you his mail.`
    r"^.{0,60}\b(?:landed|arrived|came in|popped up|turned up)\b[^.!?\n]{0,20}\b(?:inbox|mailbox|slack|feed)\b[^.!?:\n]{0,20}(?:[.:]\s|\n)",
    r"^(?:.{0,40}[.,!] )?(?:let me|i['’]ll) (?:read you|paste(?: you)?) (?:this|that|his|her|their|the)\b[^.!?:\n]{0,40}(?:[.:]\s|\n)",
    r"^.{0,60}\b(?:transcript|screenshot|text|message|mail|voicemail|letter|page)\b[^.!?\n]{0,20}\b(?:below|(?:reads|says|states) (?:as follows|the following))\b[^.!?\n]{0,10}(?:[.:]\s|\n)",
    rf"^(?:copied |straight )?from (?!(?:now|today|tomorrow|next|this|then|{WEEKDAY}|{MONTH})\b)(?:[^\W\d][\w'’-]* ){{0,3}}[^\W\d][\w'’-]*[ \t]*\n"
    r"|^[^.!?:\n]{0,30}\b(?:got|found|copied|pasted|saw|read) (?:this|that|these|it)\b[^.!?:\n]{0,40}[ \t]*\n",
    r"^[^.!?:\n]{0,30}\b(?:me llegó|recibí|copié|encontré|dostał[ae]m|skopiował[ae]m|znalazł[ae]m|(?:dostala?|zkopírovala?|našla?) jsem|отрима(?:в|ла)|скопіюва(?:в|ла)|знайш(?:ов|ла))\b[^.!?:\n]{0,40}[ \t]*\n"
    r"|^(?:del?|z|ze|з|із) (?:[^\W\d][\w'’-]* ){0,2}(?:wiki|e?-?mail\w*|correo|grupo|strony|cz?atu|chatu|webu|вікі|пошти|чату)[ \t]*\n",
    r"\A(?:[^\n]*\n)+[ \t]*\^[^\n]*\Z",  # `^ lol`: the text above is another person's
    "(?:翻译|翻譯|润色|潤色)(?:一下|成|这|這|下面|[:：\n])|帮我翻译|幫我翻譯|这句话对[吗嗎]",
    r"(?:번역|교정)(?: 좀|해| 부탁)|다듬어|요약해|이 문장(?:이)? (?:맞|어때|괜찮)",
    r"^.{0,80}\b(?:page|site|web ?site|mail|e-?mail|article|text|post|message|issue|thread|log|transcript|document|docs|file"
    rf"|ticket|comment|letter|output|answer|reply)\b.{{0,40}}[:：]{_ENDS}|^.{{0,40}}(?:网页|網頁|邮件|郵件|文章|文件|메일|글|페이지|문서).{{0,20}}[:：]{_ENDS}",
    flags=re.MULTILINE,
)
# Signs of a talk or a notice from elsewhere.
_ELSEWHERE = any_form(
    rf"{_SPEAKER}(?=[^\n]*\n(?:[^\n]*\n){{0,2}}{_SPEAKER})",
    rf"{_LINE}(?:{_TIME} +(?:[-–—] )?<?{_NAME}(?: {_NAME})?>?:|{_NAME}(?: {_NAME})? [(\[]{_TIME}[)\]]:?)",
    rf"{_LINE}(?:[\u3400-\u9fff가-힣]{{2,5}}[ \t]+{_TIME}|[^\n]{{1,40}} · [^\n]{{1,24}}){_ENDS}",
    rf"{_LINE}(?:(?:posted|written|published|reviewed|asked|answered) by\b|(?:q|a|question|answer|interviewer)\d{{0,2}}[:：] |[★☆⭐]{{2}})",
    rf"{_LINE}(?:v(?:ersion)? ?)?\d+\.\d+(?:\.\d+)?[^\n]{{0,30}}\n[ \t]*[-*•\d]",
    rf"{_LINE}(?:for immediate release|press release|abstract\b|【[^】\n]{{1,20}}】|[\[]?(?:notice|announcement|통지|공지|通知|公告)[\]:：])",
    flags=re.MULTILINE,
)
# The beginning of fiction, or of words for another person.
_PRETENDED = any_form(
    _BEGINS + whole_words(_MADE_UP),
    _BEGINS
    + whole_words("write(?! (?:(?:this|that|it) )?down), draft, compose, generate")
    + r"[^.!?\n]*(?:[:.!\n]|\Z)",
    _BEGINS + whole_words("reply, post, tweet") + r"[^.!?\n]*[:.!\n]",
    r"^\W*you (?:are|will be) (?:an?|the|my)\b|^\W*your (?:name|role|task|job) is\b",
    "(?:假设|假設|假如|想象一下|想像一下|扮演|写一[首篇封段]|(?:写|寫|拟|擬|编|起草)[^，。：:\n]{0,10}[：:]|编一个)",
    "(?:가정해|가정하|상상해|역할극|인 척|소설을? 써|편지를? 써|시를? 써|(?:써|적어|작성해) ?(?:줘|주세요|줄래)[^.!?\n]{0,10}[:：])",
)


def _before(text: str, *forms: re.Pattern[str]) -> str:
    """Return a message without letters, pages and quoted blocks, up to the first match of some forms."""
    whole = without_pages(without_asked_about(without_letter(text)))
    plain = _QUOTED.sub(lambda match: " " if _is_block(whole, match) else match.group(), whole)
    begins = (match.start() for form in forms if (match := form.search(plain)))
    return plain[: min(begins, default=len(plain))]


def is_dictated(text: str) -> bool:
    """Say whether a message dictates words for another person: "Draft a mail: if you raised the rent …"."""
    match = _PRETENDED.match(text.strip())
    return match is not None and (": " in f"{match[0]} " or "：" in match[0])


def before_pasted(text: str) -> str:
    """Return a message up to a page, a mail, a play or a text to work on."""
    return _before(text, _PASTED, _ELSEWHERE, _PRETENDED)


def is_typed(text: str) -> bool:
    """Say whether the sender wrote all of a message, dictation and fiction included."""
    return _before(own_words(text), _PASTED, _ELSEWHERE).split() == text.split()


def is_mostly_pasted(text: str) -> bool:
    """Say whether more than half of a message of several lines counts as pasted or quoted: a reader takes it for a stranger's."""
    return "\n" in text and 2 * len(words(own_text(text))) < len(words(text))


def own_text(text: str) -> str:
    """Return the sender's own words in one piece: nothing pasted, quoted or forwarded."""
    return before_pasted(own_words(text)).strip()


def own_sentences(text: str) -> tuple[str, ...]:
    """Return the same sentence by sentence."""
    return _own_sentences(text[:LONGEST])


@lru_cache(maxsize=256)  # a command asks for those of one message a dozen times
def _own_sentences(text: str) -> tuple[str, ...]:
    return sentences_of(own_text(text))


def sentences_with(quote: str, sentences: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences with a quote, none unless it is there word for word; its middle may be left out."""
    plain = list(map(_plain, sentences))
    whole = " ".join(plain)
    spans = []
    for part in filter(None, map(_plain, _CUT.split(quote))):
        start = whole.find(part)
        if start < 0 or (part.isascii() and f" {part} " not in f" {whole} "):
            return ()
        spans.append((start, start + len(part)))
    chosen, at = [], 0
    for sentence, plain_sentence in zip(sentences, plain, strict=True):
        if any(start < at + len(plain_sentence) and at < end for start, end in spans):
            chosen.append(sentence)
        at += len(plain_sentence) + 1
    return tuple(chosen)


def _plain(text: str) -> str:
    """Return words in small letters with single spaces, without stops and quotation marks."""
    return " ".join(_STOPS.sub(" ", spelled(text).lower()).split())


_STOPS = lazy_pattern(r"(?<!\d)[.,;:!?\"'。，！？、；：()-]+|[.,;:!?\"'。，！？、；：()-]+(?!\d)")


def no_statement(sentence: str) -> str:
    """Return why a sentence states nothing, empty if it states something."""
    plain_text = signs.ORDER.sub("", spelled(sentence).lower())
    if signs.REQUEST.search(plain_text) is None and signs.QUESTION.search(
        signs.REMINDED.sub(".", plain_text)
    ):
        return IS_QUESTION
    return next((name for name, sign in signs.SENSES.items() if sign.search(plain_text)), "")


def clauses(text: str) -> list[str]:
    """Return the clauses of a text in small letters; each of them denies as a whole or not at all."""
    plain_text = signs.LEAD_IN.sub("", signs.ORDER.sub("", spelled(text).lower()).lstrip())
    return list(filter(None, map(str.strip, signs.CLAUSE.split(plain_text))))


def denies(text: str) -> bool:
    """Say whether a text denies something."""
    plain_text = signs.ORDER.sub("", spelled(text).lower())
    return signs.NOT.search(plain_text) is not None or signs.SENSES[IS_PAST].search(plain_text) is not None


def denied(text: str) -> Iterator[str]:
    """Yield the denied parts of a text: in Korean the words before the denial, else those after it."""
    for clause in clauses(text):
        match = signs.NOT.search(clause)
        if match is not None:
            behind = clause[match.end() :]
            yield clause if signs.DENIES_BEFORE.search(clause) or says_nothing(behind) else behind
