"""Short forms and their long ones, which people write one for the other: "config", "fam", "db"."""

from __future__ import annotations

from functools import cache

from clawgit.text.words.terms import english_stem

_GROUPS = """
account acct / address addr / admin administrator / advertisement ad advert / amount amt / apartment apt flat /
application app / approximately approx / argument arg / assistant asst / association assoc / attention attn /
authentication auth authn / authorization authz / average avg / bicycle bike / birthday bday / brother bro /
business biz / button btn / calculation calc / capitalization cap / certificate cert / character char /
chemistry chem / christmas xmas / command cmd / committee cttee / communication comms / competition comp contest /
condominium condo / configuration config cfg conf / congratulations congrats / connection conn / cousin cuz /
credential cred / customer client / database db / dad father daddy papa / debug dbg / delivery dlvy /
demonstration demo / department dept / dependency dep / deployment deploy / description desc / development dev /
developer dev / dictionary dict / difference diff / directory dir folder / document doc documentation docs /
dog puppy pup / doctor physician / download dl / education edu / electronic elec / email mail e-mail /
environment env / error err / estimate est / exam examination / executive exec / experience exp / family fam /
favorite favourite fav fave / february feb / fiance fiancee / flu influenza / frequency freq / friday fri /
function func fn / government govt gov / grandfather grandpa granddad / grandmother grandma granny / graduation grad /
gymnasium gym / headquarters hq / holiday vacation / hospital hosp / hour hr / husband hubby / identification id /
image img / implementation impl / infrastructure infra / information info / instagram insta ig /
internationalization i18n / introduction intro / january jan / javascript js / job occupation / kid child /
kilometer kilometre km / kubernetes k8s / laboratory lab / language lang / legitimate legit / library lib /
limousine limo / localization l10n / management mgmt / manager mgr / mathematics math maths / maximum max /
meeting mtg / memorandum memo / message msg / microphone mic / minimum min / minute min / miscellaneous misc /
monday mon / mother mom mum mommy mama / motorcycle motorbike / movie film / navigation nav / necessary nec /
number num / object obj / organization org organisation / package pkg / parameter param /
password passwd pwd passphrase / percent pct / performance perf / photograph photo pic picture image / physical phys /
postgresql postgres pg psql / president pres / preference pref / presentation preso / previous prev / problem prob /
process proc / production prod / professor prof / profile bio / program programme / python py / quantity qty /
received rcvd / recommendation rec / reference ref / refrigerator fridge / registration reg / relationship rel /
repository repo / representative rep / request req / requirement req / reservation booking / restaurant resto /
schedule sched / science sci / secretary sec / september sept sep / sequence seq / server srv / sister sis /
specification spec / specifically esp / statistics stats stat / standard std / student pupil / subscription sub /
synchronization sync / system sys / technology tech / telephone phone / television tv telly / temperature temp /
temporary temp tmp / thanks thx / thursday thu thurs / transaction txn tx / tuesday tue tues / typescript ts /
university uni univ college / utility util / variable var / vegetarian veggie / vegetable veg veggie / vehicle car /
version ver / veterinarian vet / video vid / vocabulary vocab / volume vol / website site webpage / wednesday wed /
week wk / wife wifey / year yr
"""


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    forms: dict[str, dict[str, None]] = {}
    for group in _GROUPS.replace("-", "").split("/"):
        stems = [english_stem(word) for word in group.split()]
        for stem in stems:
            forms.setdefault(stem, {}).update(dict.fromkeys(other for other in stems if other != stem))
    return {stem: tuple(others) for stem, others in forms.items()}


def other_forms(stem: str) -> tuple[str, ...]:
    """Return the stems of other ways to write the word of this ``stem``."""
    return _forms().get(stem, ())
