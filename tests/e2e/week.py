#!/usr/bin/python3
"""A week of a class through Dovecot and Exim: one player plays, one address bounces, one is out of the office, one lets a
machine answer, a stranger writes, our own mail comes back, and the account is locked over a deadline. What everybody has
got at the end is compared with week.expected, all but the times at which the servers took the mails."""
import difflib, email.message, email.policy, os, re
from school import BOX, DOMAIN, PASSWORD, PEOPLE, School, has, port, text_of, until

NOBODY = "bounce-week@" + DOMAIN  # Exim takes mail to it; Dovecot then refuses it


class Week(School):
    runs = 0

    def galloper(self, *words, now=None, expect=0):
        self.runs += 1  # the same keys and Message-IDs each time the test is run
        clock = ["--random", "week %d" % self.runs, "--now", now]
        return self.run("-c", self.conf, *clock, *words, expect=expect)

    def tick(self, now=None, expect=0):
        """And all that was sent has arrived, or come back: Exim delivers after it has answered."""
        said = super().tick(now=now, expect=expect)
        until("Exim's queue is empty", lambda: not os.listdir(BOX + "/exim/spool/input"))
        return said

    def reports(self):
        """The delivery reports that lie in the game's mailbox or were read there."""
        return [m for folder in ("INBOX", "Processed") for m in self.mails("game", folder=folder)
                if m.get_content_type() == "multipart/report"]

    def at(self, day, time, m):
        self.put(m, "%02d-Mar-2026 %s +0000" % (day, time))

    def answer_of_machine(self, who, to, subject, **fields):
        m = self.write(who, "I am away until Monday.", reply_to=to)
        m.replace_header("Subject", subject)
        for name, value in fields.items():
            m[name.replace("_", "-")] = value
        return m


def begin():
    s = Week("week", smtp_user="game", smtp_port=port("EXIM_TLS_PORT"), answers_per_hour=4,
             authentication_server="mx.school.test")
    s.set_passwords(PASSWORD, "away", "robot", "stranger")
    now = "2026-03-02T09:00:00Z"  # a Monday
    s.new_game(jacobite=NOBODY, now=now)
    for who in "away", "robot":
        s.galloper("player", "add", s.name, "observer", s.address(who), now=now)
    s.tick(now="2026-03-02T09:01:00Z")
    return s


def monday(s):
    welcome = s.await_mail("english", "welcome")
    assert len(s.reports()) == 1
    s.at(2, "10:00:00", s.write("english", "Wolfe's: advance 3\nBarrell's: move 4 north", reply_to=welcome))
    for server in "elsewhere.test", "mx.school.test":  # only the second is believed, and nothing is refused for it
        m = s.write("english", "Munro's: advance 3", reply_to=welcome)
        m["Authentication-Results"] = server + "; spf=fail smtp.mailfrom=school.test; dmarc=fail header.from=school.test"
        s.at(2, "10:00:30", m)
    away = s.await_mail("away", "welcome")
    s.at(2, "10:01:00", s.answer_of_machine("away", away, "Automatic reply: " + away["Subject"], Auto_Submitted="auto-replied"))
    s.at(2, "10:02:00", s.answer_of_machine("away", away, "Abwesenheitsnotiz: Ferien"))
    s.tick(now="2026-03-02T10:05:00Z")
    has(s.await_mail("english", "receipt"), "D Wolfe's: move 3 forward")  # whichever of three came last
    assert len(s.mails("away")) == 1, "an absence note was answered"


def stranger(s):
    for hour, text in (11, "Can I play too?"), (12, "Hello? Is anybody there?"):
        s.at(3, "%d:00:00" % hour, s.write("stranger", text, subject="A game"))
        s.tick(now="2026-03-03T%d:05:00Z" % hour)
    assert len(s.mails("stranger")) == 1, "a stranger was answered twice in a day"


def loops(s):
    """Our own mail comes back; and a machine that says so nowhere answers whatever it gets."""
    back = s.await_mail("english", "receipt")
    s.at(3, "13:00:00", back)
    s.tick(now="2026-03-03T13:05:00Z")
    for minute in range(10, 20):
        newest = s.mails("robot")[-1]
        m = s.write("robot", "Your message has arrived and will be dealt with.", reply_to=newest)
        s.at(3, "13:%d:00" % minute, m)
        s.tick(now="2026-03-03T13:%d:30Z" % minute)
    assert len(s.mails("robot")) == 1 + 4, "a machine got %d answers" % (len(s.mails("robot")) - 1)


def deadlines(s):
    """Two turns; the account cannot be read when the second ends. What goes to nobody comes back three times."""
    s.tick(now="2026-03-05T17:00:00Z")  # reminders
    assert len(s.reports()) == 2
    s.tick(now="2026-03-06T16:05:00Z")
    has(s.await_mail("english", "report"), "Wolfe's move 3\" to G7.")
    assert len(s.reports()) == 3
    s.tick(now="2026-03-06T16:10:00Z")
    has(s.mails("referee", "notice")[-1], "Three mails to " + NOBODY)
    s.at(12, "10:00:00", s.write("english", "Wolfe's: advance 3", reply_to=s.await_mail("english", "report")))
    s.secret("imap", "wrong-Selkie-7733")
    s.tick(now="2026-03-13T16:05:00Z", expect=3)
    assert len(s.mails("english", "report")) == 1, "a turn was played on a mailbox that could not be read"
    s.tick(now="2026-03-13T18:05:00Z", expect=3)
    assert len(s.mails("english", "report")) == 2
    s.secret("imap", PASSWORD)
    s.tick(now="2026-03-13T20:00:00Z")
    s.tick(now="2026-03-13T20:05:00Z")
    assert not s.mails("game"), "something was left in the mailbox"
    sent = [line for line in open(BOX + "/exim/log/mainlog") if "=> " + NOBODY in line or "** " + NOBODY in line]
    assert len(sent) == 3, sent


def told(s):
    """All that everybody has got, and what `player list` says of them."""
    lines = []
    for who in *PEOPLE[1:], "away", "robot", "stranger":
        for m in sorted(s.mails(who), key=lambda m: (m["Date"].datetime, m["Subject"])) if who != "jacobite" else []:
            brief = m["X-Galloper-Mail"] in ("welcome", "report", "receipt", "reminder", "help")
            text = text_of(m).rstrip()
            lines += ["==== to %s: %s" % (who, m["Subject"])] + ([] if brief else [""] + text.split("\n") + [""])
    lines += ["==== player list", ""] + s.galloper("player", "list", s.name, now="2026-03-13T20:10:00Z").split("\n")
    text = re.sub(r"localhost:\d+", "localhost:PORT", "\n".join(line.rstrip() for line in lines))
    return re.sub(r"(\[week T\d) \w+\]", r"\1 TOKEN]", text).split("\n")


def compare(got):
    if os.environ.get("UPDATE"):
        with open("week.expected", "w") as f:
            f.write("\n".join(got).rstrip("\n") + "\n")
    expected = open("week.expected").read().split("\n")
    difference = list(difflib.unified_diff(expected, got, "week.expected", "got", lineterm=""))
    assert not difference, "\n".join(difference)


week = begin()
for part in monday, stranger, loops, deadlines:
    print("---", part.__name__, flush=True)
    part(week)
compare(told(week))
week.kept_quiet()
