#!/usr/bin/python3
"""The same mails, read in one pass, which takes them in groups, and each in a pass of its own: every row of the ledger and
every byte that is sent must be the same."""
import os, sqlite3
from contextlib import closing

from steps import FRIDAY, MONDAY, SCRATCH, difference, fresh, galloper, plain

NOW = FRIDAY - 3600
PEOPLE = {"E": "ann@a.example", "J": "ben@b.example", "referee": "head@a.example", "wing": "carol@a.example",
          "stranger": "odd@x.example"}
HTML = "<div><s>Camerons: hold</s></div><div>Camerons: advance 3</div>"
WORDS = {  # what each writes, one after the other; the fourth of each has no key
    "E": ("Barrell's: advance 2\nWolfe's: hold", "Barrell's: advnce 3", "ACCEPT", "K: hold\nL: fire at j\nA: move 4 north",
          "Zorks: advance 4", "FORGET", "STATUS\nORDERS", "SAY SIDE: hello\nSAY ALL: good luck", "cancel Barrell's",
          "standing Barrell's: fire nearest", "READY", "", "Barrell's: advance 2\nREADY", "NOT READY", "HELP", "RESEND",
          "WHY 1", "everyone else: hold"),
    "wing": ("K: advance 4", "K: hold\nL: fire at j", "Barrell's: hold", "A, B: advance 1", "SHOW", "C: charge",
             "C: move F6 then charge nearest", "ACCEPT", "standing C: hold", "cancel C", "Barrell's: hold", "HELP", "READY",
             "L: advance 2", "ORDERS"),
    "J": ("Camerons: advance 2", "all: advance 3 if enemy within 12\nCamerons: charge nearest", "READY", "clear all",
          "left wing: hold", HTML, "Camerons: advance 1, and then they cheer", "SAY REFEREE: may I?", "Thank you!", "ORDERS",
          "RESEND", "priority a, b", "Camerons: charge R\nREADY", "Camerons: hold", "Frasers: hold"),
    "referee": ("SHOW", "STATUS", "RULE weather off", "REJECT 1", "APPROVE 1", "ORDER E: Barrell's: hold", "BECAUSE"),
    "stranger": ("What is this?", "Barrell's: hold"),
}


def set_up(home):
    for words in (["init", home], ["game", "new", "g1", "--battle", "falkirk", "--english", PEOPLE["E"], "--jacobite",
                                   PEOPLE["J"], "--referee", PEOPLE["referee"]],
                  ["player", "add", "g1", "E", PEOPLE["wing"], "--units", "left"], ["tick"]):
        done = galloper(home, MONDAY, *words)
        assert done.returncode == 0, done.stdout


def mails(home):
    """In the order of arrival: each in turn writes what is next of his."""
    with closing(sqlite3.connect(home + "/galloper.db")) as db:
        keys = dict(db.execute("SELECT address, key FROM address"))
    longest = max(map(len, WORDS.values()))
    for row in range(longest):
        for who, texts in WORDS.items():
            if row >= len(texts) or (row % 5 == 4 and who == "E"):
                continue
            kind = "html" if texts[row] == HTML else "plain"
            key = "" if row == 3 else "KEY %s" % keys.get(PEOPLE[who], "nothing")
            yield "From: %s\nTo: galloper@localhost\nMessage-ID: <%s%d@a.example>\nSubject: orders\nContent-Type: text/%s\n\n" \
                "GAME g1\n%s\n\n%s\n" % (PEOPLE[who], who, row, kind, key, texts[row])
    yield "From: %s\nSubject: orders\nMessage-ID: <J0@a.example>\n\nGAME g1\n" % PEOPLE["J"]


def put(home, number, text):
    path = "%s/mail/in/new/%d.host" % (home, number)
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    os.utime(path, (NOW - 7200 + number,) * 2)


def tick(home):
    done = galloper(home, NOW, "tick")
    assert done.returncode == 0, done.stdout


def ledger(home):
    with closing(sqlite3.connect(home + "/galloper.db")) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {name: sorted((tuple(map(plain, row)) for row in db.execute("SELECT * FROM " + name)), key=repr)
                for name in tables if name not in ("lease", "secret")}


def sent(home):
    found = []
    for folder, _, names in os.walk(home + "/mail/out"):
        for name in names:
            with open(os.path.join(folder, name), "rb") as f:
                found.append((folder[len(home):], plain(f.read())))
    return sorted(found)


base, together, alone = (SCRATCH + "/" + name for name in ("base", "together", "alone"))
set_up(base)
put(base, -1, "From: early@x.example\nSubject: hello\nMessage-ID: <0@x>\n\nHello!\n")
tick(base)  # and with it the referee's digest, which is not due again for a day
letters = list(mails(base))
for home in together, alone:
    fresh(base, home)
    for number, letter in enumerate(letters):
        put(home, number, letter)
        if home == alone:
            tick(home)
    tick(home)
groups, singles = ledger(together), ledger(alone)
assert len(groups["mail"]) == 1 + len(letters), len(groups["mail"])
for name, rows in groups.items():
    assert rows == singles[name], "%s: %s" % (name, difference(rows, singles[name]))
assert sent(together) == sent(alone), difference(sent(together), sent(alone))
print("%d mails: the same together and one by one: %d sheets, %d turns, %d mails sent" % (
    len(letters), len(groups["sheet"]), len(groups["turn"]), len(sent(alone))))
