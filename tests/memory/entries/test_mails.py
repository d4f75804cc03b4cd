from __future__ import annotations

import pytest

from clawgit.memory.notes import is_mail

MAILS = {
    "headers": "From: Support <support@adyen.example>\nTo: a@b.example\nDate: Mon, 5 Oct\nSubject: Re\n\nHi,\n",
    "received first": "Received: by mx\n\tid 7\nMessage-ID: <1@x>\nFrom: Ruth\n\nHi\n",
    "German, without an empty line": "Von: K. Wagner\nSehr geehrte Frau Vogel,\nmeine Hühner bleiben!\n",
    "Spanish": "De: Begoña\nAsunto: tarifa\n\nHola Lucía,\n",
    "below a title": "# Mail of Ruth\n\n**From:** Ruth\n**Date:** 12 November\n\nHi all,\n",
    "a quoted sender": "> From: Dell Support\n> Your drive will be delivered on 19-11. Please return the old one.\n",
    "a quoted sender, German": "# Dell\n\n> Von: Dell Support\n> Die Platte kommt am 19.\n",
    "line ends of Windows": "\ufeffFrom: Ruth\r\nSubject: rota\r\n\r\nHi\r\n",
}
NO_MAILS = {
    "notes": "# Water\n- The pump is blue.\n",
    "a trip": "From: Berlin\nTo: Hamburg\n\nThe train leaves at nine.\n",
    "a move": "# Move\n\nFrom: Graz\nTo: Linz\nDate: 3 May\n\nThe movers come at eight.\n",
    "front matter": "---\ntitle: x\ndate: 2026-01-01\n---\nFrom: here\n",
    "headers without a sender": "Date: Monday\nSubject: plans\n\nWe go.\n",
    "a mail quoted below": "Ruth wrote today.\n\nFrom: Ruth\nSubject: rota\n",
    "a sentence": "From now on: call me Ada.\nSubject: none\n",
    "a page with its address": "Source: https://code.example/mine\n\nThe plan of it.\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in MAILS.items()])
def test_a_mail_is_known_by_its_head(text: str) -> None:
    assert is_mail(text.encode(), "notes/a.md")


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in NO_MAILS.items()])
def test_what_only_looks_a_little_like_it_is_none(text: str) -> None:
    assert not is_mail(text.encode(), "mailbox.md")


def test_a_mail_in_utf_16_is_one() -> None:
    assert is_mail("From: Ruth\nSubject: rota\n\nHi\n".encode("utf-16"), "a.txt")


def test_all_in_a_folder_of_mails_is_of_others() -> None:
    assert is_mail(b"I am away until Monday.\n", "clients/Mails/eva.txt")


@pytest.mark.parametrize(
    ("path", "text", "is_one"),
    [
        ("work/mail-from-dell.md", "The drive comes on the 19th.\n", True),
        ("Mail_von_Eva.txt", "# Eva\nIch komme am Montag.\n", True),
        ("fwd-offer.md", "# Offer\nSix drives.\n", True),
        ("notes/email-style.md", "- No greetings.\n", False),
        ("mail-2026.md", "The new server has two mailboxes.\n", False),
        ("wg-regeln.md", "Eva putzt am Montag.\n", False),
        ("notes/mailbox.md", "The mailbox is blue.\n", False),
        ("notes/forward.md", "The plan.\n", False),
        ("notes/mail.md", "Mails are read at nine.\n", False),
    ],
)
def test_a_name_may_say_that_a_file_is_a_mail(path: str, text: str, is_one: bool) -> None:
    """Seen: `work/mail-from-dell.md` counted as the operator's. Mutant: a note about mails is one."""
    assert is_mail(text.encode(), path) is is_one
