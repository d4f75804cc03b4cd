"""A dated line says otherwise than an undated one only if it gives another value of the same subject, for good.

Mutants that these tests caught: a plan, a question, one occasion, an event in the past, somebody else's thing, another
thing of the same name, a part of two values, a heading that names another subject.
"""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.understanding.corrections.says_otherwise import Described, says_otherwise

DAY = date(2026, 11, 12)
BILLING = "billing listens on 8080"
STANDUP = "Standup at 10:00"
CASH = "Petty cash limit is 150"
TURN = "on-call: Priya"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "dated"),
    [
        (BILLING, "moved billing to port 8443, 8080 is closed"),
        (STANDUP, "standup moved to 9:30"),
        (TURN, "on-call is Tomasz now, not Priya"),
        (TURN, "Our on-call is Tomasz now"),
        ("feature flags: LaunchDarkly", "feature flags: we moved from LaunchDarkly to Unleash"),
        (CASH, "petty cash limit is now 250"),
        ("Die Müllabfuhr kommt am Dienstag", "Müllabfuhr kommt jetzt am Donnerstag"),
        ("Der Türcode ist 4711", "Türcode geändert, jetzt 8812, 4711 gilt nicht mehr"),
        (
            "Urlaubsantrag geht an Frau Krüger",
            "Urlaubsantrag geht jetzt an Herrn Sommer, nicht an Frau Krüger",
        ),
        ("La ITV es el 20 de enero", "la ITV es el 27 de enero"),
        ("Tenemos 24 camas", "tenemos 22 camas, ya no 24"),
        ("El proveedor de pan es Benigno", "el proveedor de pan es Aurelio, ya no Benigno"),
    ],
)
def test_another_value_of_the_same_says_otherwise(line: str, dated: str) -> None:
    assert says_otherwise(Described(line), Described(dated), DAY)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "dated"),
    [
        (BILLING, "payments listens on 8443"),
        (BILLING, "billing restarted at 14:20 after a crash, 12 requests lost"),
        (BILLING, "Tomasz says billing listens on 8443"),
        (BILLING, "billing on 8080 talks to ledger on 9090"),
        ("The staging port is 8080.", "moved billing to port 8443, 8080 is closed"),
        ("Standup at 9:30", "Standup moved from 9:00 to 9:30"),
        (STANDUP, "Ben wants the standup moved from 10:00 to 11:00"),
        (STANDUP, "today's standup was at 9:30 because of the demo"),
        (STANDUP, "should we move the standup to 9:30?"),
        (CASH, "we could raise the petty cash limit to 250"),
        (CASH, "took 40 from petty cash for stamps"),
        (TURN, "Peter's on-call is Tomasz"),
        ("The rent is 900 euros", "Peter's rent is 1200 euros"),
        ("Room 3 has 8 beds", "room 4 has 6 beds"),
        ("My aunt Mia is allergic to nuts.", "My aunt Lea is allergic to nuts."),
        ("Plan A costs 20", "Plan B costs 30"),
        ("Call Eva on Monday", "called Eva on Tuesday"),
        ("We deploy on Fridays", "deployed on Thursday"),
        ("VAT is 19 %", "VAT is 19 %, reduced 7 %"),
        ("Die Müllabfuhr kommt am Dienstag", "Müllabfuhr kommt diese Woche am Mittwoch wegen Feiertag"),
        ("Der Türcode ist 4711", "Der Türcode im Lager ist 8812"),
        ("La ITV es el 20 de enero", "la ITV de la furgoneta es el 27 de enero"),
    ],
)
def test_what_is_near_does_not(line: str, dated: str) -> None:
    assert not says_otherwise(Described(line), Described(dated), DAY)


@pytest.mark.parametrize(
    ("heading", "is_said"),
    [("Decisions", True), ("Checkout", False), ("Billing", True), ("Thursday, 12 Nov", True)],
)
def test_a_heading_may_name_another_subject(heading: str, is_said: bool) -> None:
    line = Described("retries: 3", "Billing")

    assert says_otherwise(line, Described("retries are 5 now", heading), DAY) is is_said
