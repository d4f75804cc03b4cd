"""Turns of English that several triage patterns share; regular expressions for text in lower case."""

from __future__ import annotations

from clawgit.text.words.word_lists import MONTH, WEEKDAY, any_of

QUESTION = r"\?$"
THANKS = r"thank"
# Where something is said to somebody: at the beginning of a sentence, or after a word that leads up to it.
SENTENCE = (
    r"\b(?:^|(?<=[.!?:;/] )|(?<=[/(])|(?<=\bplease )|(?<=\balso )|(?<=\bso )|(?<=\bhey )"
    r"|(?<=\byou must )|(?<=\byou should )|(?<=\bi want you to )|(?<=\bi'd like you to )"
    r"|(?<=\bi need you to ))"
)
CLAUSE = (
    r"\b(?:^|(?<=[^\w'] )|(?<=[/(:\[])|(?<=\bplease )|(?<=\balso )|(?<=\bso )|(?<=\bhey )"
    r"|(?<=\byou must )|(?<=\byou should )|(?<=\bwant you to )|(?<=\blike you to )"
    r"|(?<=\bneed you to )|(?<=\band )|(?<=\bbut )|(?<=\bjust )|(?<=\bok )|(?<=\bthen )"
    r"|(?<=\bkindly )|(?<=\bmake sure you )|(?<=\bmake sure to )|(?<=\bbe sure to ))"
)
# Where somebody is set right: at the beginning, or after a word of hesitation.
REPLY = (
    r"\b(?:^|(?<=[.!?:;] )|(?<=\bah, )|(?<=\buh, )|(?<=\bum, )|(?<=\boh, )|(?<=\bhmm, )"
    r"|(?<=\bwell, )|(?<=\bwait, )|(?<=\bsorry, ))"
)
# Whose something is, of people who are talked about.
OWN = "(?:my|our|his|her|their)"
# When something is to be done, or begins.
DAY = any_of(f"today, now, tomorrow, immediately, next, {WEEKDAY}, {MONTH}")
# The beginning of a message, behind a word that says nothing. Looks that all begin with a word's edge are tried
# together, which makes a search twice as fast.
OPENING = (
    r"\b^(?:(?:well|so|and|but|ah|oh|hey|um+|uh+|hm+|wait|sorry|yeah|yes|btw|fyi|also|(?:please )?don't),? )?"
)
HAVE = r"(?:'ve| have|'d| had)?"
ADVERB = (
    r"(?: (?:already|just|literally|clearly|also|both|all|finally|now|since|recently|actually"
    r"|definitely|explicitly|repeatedly|certainly|even|only|really|specifically|always"
    r"|completely|totally|obviously|apparently|still|again|once again))*"
)
VERY = (
    r"(?:(?:so|very|really|quite|pretty|totally|all|just|perfectly|absolutely|kind of|too"
    r"|a bit|a little|a|an|the) )*"
)
# Words by which a "no" or an "actually" agrees, thanks or waves aside instead of setting something right.
PRAISE = VERY + any_of(
    """
    fine, ok, okay, good, great, nice, cool, alright, all right, perfect, lovely, awesome, amazing,
    wonderful, brilliant, fantastic, excellent, enough, all, it, nothing, everything,
    (?:my )?pleasure, no problem, not a problem, no worries, not necessary, not needed, late,
    early, much, bad, funny, hilarious, fun, interesting, beautiful, impressive, helpful, true,
    clear, easy, simple, best, better, same, hard, difficult, sad, terrible, awful, sweet, kind,
    worth, possible, impossible, yours, up to you, delicious, cute
    """
)
# Words for how things stand at the moment, which nobody needs to remember.
PASSING = VERY + any_of(
    r"""
    late, time, dark, cold, hot, warm, rainy, sunny, windy, cloudy, done, fixed, over, gone, ready,
    up, down, on, off, out, back, here, there, broken, stuck, quiet, loud, busy, crazy, even,
    or never, like, about, easier, harder, still, finally, become, been, \w+ o'clock, \w+ time,
    morning, night, evening, noon, midnight, safe, open, closed, frozen, slow, fast, faster,
    slower, green, red, your turn, my turn, what, right, only, almost, nearly, not (?:working|too),
    (?!beijing|king|ring|spring|wing)\w{3}\w*ing
    """
)
# Things that are moved and changed while working on a task.
TASK_THING = any_of(
    """
    files?, folders?, director(?:y|ies), servers?, services?, scripts?, process(?:es)?,
    containers?, builds?, tests?, (?:that|this|the|nightly|cron) job, branch(?:es)?, code,
    functions?, method, class, lines?, rows?, columns?, cells?, tabs?, windows?, cursor, mouse,
    downloads?, uploads?, installation, app, program, machines?, computer, vm, pods?, clusters?,
    database, db, quer(?:y|ies), deployments?, debugger, timer, oven, car, engine, imports?,
    variables?, packages?, dependenc(?:y|ies), repo, repository, daemon, gateway, loop, thread,
    stream, recording, video, music, song, movie, series, episode, game, book, chapter, readme,
    docs?, pages?, button, slider, tickets?, issues?, bugs?, pull request, lights?, heating, tv,
    images?, photos?, logs?, pipeline, migration, backup, text, paragraph, sentence, title
    """
)
# Things of which people say that they are different now.
FACT = any_of(
    """
    names?, surname, nickname, e-?mail(?: address)?, phone(?: number)?, numbers?, address(?:es)?,
    birthday, pronouns, time ?zone, title, job, employer, manager, boss, doctor, dentist, wife,
    husband, partner, dog, cat, team, company, office, city, country, account, plate, size,
    language, currency, deadline, budget, landlord, bank, diet, laptop, role, position, house,
    apartment, flat, place, password, username, handle, website, url, domain, port, vendor,
    supplier, client, colleague, teammate, project, school, schedule, hours, date, time, code,
    price, version, meeting, contact, owner, rate, room, plan, limit, key, appointment, flight,
    call, standup, launch, release, venue, host, fee, rent, interview, exam, wedding, party, gate,
    booking, reservation, demo, review, dinner, lunch
    """
)
SAYING = (
    r"(?:say|said|tell|told|repeat|explain\w*|remind\w*|ask\w*|correct\w*|mention\w*|go over"
    r"|gone over|went over|been (?:over|through)|forget|forgot|get .{1,30} wrong|spell|spelled"
    r"|answer\w*)"
)
BEFORE = any_of(
    rf"""
    before, earlier, already, yesterday, twice, previously,
    last (?:time|week|month|night|session|year|{WEEKDAY}),
    (?:two|three|four|five|several|many|a (?:few|hundred|thousand|million)|\d+) (?:times|minutes|hours|days|weeks|months),
    again and again, over and over, above, the other day
    """
)
PEP_TALK = any_of(
    """
    stay, believe, keep (?:going|smiling|your), rest, relax, breathe, smile, enjoy, have fun,
    have a, take (?:care|time|breaks?|a break|some|it easy), be kind, be proud, celebrate,
    look after, eat, drink, sleep, live, laugh, love, stop and, treat yourself, appreciate
    """
)
