#!/usr/bin/python3
"""See trouble.test."""
import datetime, glob, os, time
from school import BOX, PASSWORD, SMTP_PASSWORD, School, has, text_of

WRONG = "wrong-Selkie-7733"


def hours(count):
    """A time for --now, so many hours from now."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=count)).strftime("%Y-%m-%dT%H:%M:%SZ")


def says(text, *words):
    for word in words:
        assert word in text, "%r is not in:\n%s" % (word, text)


def said_in(log, *words):
    """How many lines of a server's log hold all of these."""
    with open(BOX + log, errors="replace") as f:
        return sum(all(word in line for word in words) for line in f)


def one_try_a_hold(s, tries, *words):
    """A server that refuses us is left alone for longer each time, by cron's tick as by the daemon."""
    assert tries() == 1
    for hour, count in (0, 1), (0.2, 2), (0.25, 2), (0.3, 2), (1, 3), (1.2, 3), (2, 4):
        said = s.tick(now=hours(hour), expect=3)
        assert tries() == count, "at hour %s: %d tries" % (hour, tries())
        says(said, *words)


def passwords():
    s = School("pass")
    s.new_game()
    s.tick()
    welcome = s.await_mail("english", "welcome")
    s.send("english", "Wolfe's: advance 3", reply_to=welcome)

    s.secret("imap", WRONG)
    says(s.tick(expect=3), "refuses the log-in", "imap-user", "imap-password")
    one_try_a_hold(s, lambda: said_in("/dovecot.log", s.user("game"), "Password mismatch"), "refuses the log-in")
    assert len(s.mails("game")) == 1 and not s.mails("english", "receipt")
    [notice] = s.mails("referee", "notice")  # sending goes on, and he is told once
    has(notice, "refuses the log-in", "imap-password")
    assert WRONG not in notice.as_string()

    s.secret("imap", PASSWORD)
    s.secret("smtp", WRONG)
    before = said_in("/smtp.log", "AUTH", "bad")
    says(s.tick(expect=3), "refuses our user name or password", "smtp-password")
    one_try_a_hold(s, lambda: said_in("/smtp.log", "AUTH", "bad") - before, "refuses our user name or password")
    assert not s.mails("english", "receipt")
    s.secret("smtp", SMTP_PASSWORD)  # is tried at once
    s.tick(now=hours(2))
    has(s.await_mail("english", "receipt"), "D: move 3 forward")
    subjects = [m["Subject"] for m in s.mails("referee", "notice")]
    assert len(subjects) == 2 and "Mail cannot be sent" in subjects[1], subjects
    s.tick(now=hours(3))
    assert len(s.mails("english")) == 2, "a mail came twice"
    s.kept_quiet()


def away():
    s = School("away")
    s.new_game()
    s.tick()
    s.send("english", "Wolfe's: advance 3", reply_to=s.await_mail("english", "welcome"))
    good = {name: s.settings[name] for name in ("imap-port", "smtp-port")}

    s.configure(imap_port=1)
    says(s.tick(expect=3), "localhost")
    s.configure(imap_port=good["imap-port"], smtp_port=1)
    says(s.tick(expect=3), "cannot be reached")
    says(s.tick(expect=3), "it is left alone until")
    s.configure(smtp_port=good["smtp-port"], smtp_user="busy")  # 454: not now
    says(s.tick(expect=3), "cannot log us in now")
    says(s.tick(expect=3), "it is left alone until")
    says(s.tick(now=hours(0.1), expect=3), "cannot log us in now")
    s.configure(smtp_user=s.settings["imap-user"])
    s.tick(now=hours(0.1))
    s.tick(now=hours(2))
    has(s.await_mail("english", "receipt"), "D: move 3 forward")
    assert len(s.mails("english")) == 2, "a mail came twice"
    s.kept_quiet()


def strangers():
    """Certificates that are not to be trusted: the password goes to none of these servers."""
    log = {name: os.path.getsize(BOX + name) for name in ("/imap.log", "/smtp.log")}
    s = School("stranger")
    s.new_game()
    good = {name.replace("-", "_"): s.settings[name]
            for name in ("imap-port", "imap-security", "smtp-port", "smtp-security")}
    time = 0
    for server in "imap", "smtp":
        for bad in os.environ[server.upper() + "_BAD_PORTS"].split():
            kind, *ports = bad.split(":")
            for security, number in zip(("starttls", "tls"), ports):
                time += 1
                s.configure(**good)
                s.configure(**{server + "_port": number, server + "_security": security})
                if server == "smtp":  # something to be sent
                    s.send("english", "HELP", reply_to=s.mails("english", "welcome")[0])
                says(s.tick(now=hours(time), expect=3), "certificate")
    for name, start in log.items():
        with open(BOX + name) as f:
            f.seek(start)
            said = [line for line in f.read().split("\n") if line and not line.startswith("good")]
        assert len(said) >= 3 and not any(word in line for line in said for word in ("AUTH", "LOGIN ", "MAIL", "RCPT")), said
    s.configure(**good)
    s.tick(now=hours(time + 1))
    kinds = [m["X-Galloper-Mail"] for m in s.mails("english")]
    assert kinds.count("help") == 6, kinds  # a deadline may have come near meanwhile, with its reminder
    s.kept_quiet()


def bounces():
    s = School("bounce")
    dead = s.address("english", "rcpt550")
    s.new_game(english=dead)
    s.tick()
    for turn in range(1, 5):
        s.send("referee", "RESOLVE TURN %d" % turn, key=s.key("referee"))
        said = s.tick()
        assert ("three mails bounced, no more are sent" in said) == (turn == 2), said
    tried = [line for line in open(BOX + "/smtp.log") if "RCPT " + dead in line]
    assert len(tried) == 3, tried
    assert "left alone" not in s.said, "one recipient's refusal kept the others' mail"
    for who in "jacobite", "referee":
        assert len(s.mails(who, "report")) == 4
    [notice] = s.mails("referee", "notice")
    has(notice, "Three mails to %s (player 1) came back" % dead, "galloper player replace bounce 1 ADDRESS")


def numbers_lost():
    """Another UIDVALIDITY, or another UID: what was answered already is filed, and not answered again."""
    s = School("number")
    s.new_game()
    s.tick()
    welcome = s.await_mail("english", "welcome")
    s.send("english", "Wolfe's: advance 3", reply_to=welcome)
    s.tick()
    maildir = "%s/mail/%s/Maildir" % (BOX, s.user("game"))
    [filed] = glob.glob(maildir + "/.Processed/[cn]*/*")
    os.rename(filed, filed.replace("/.Processed", ""))
    for path in glob.glob(maildir + "/dovecot*"):
        os.unlink(path)
    time.sleep(1.1)  # the new one is made of the second
    assert len(s.mails("game")) == 1
    s.tick()
    assert not s.mails("game") and len(s.mails("game", folder="Processed")) == 1

    s.send("english", "Barrell's: advance 3", reply_to=welcome)
    s.tick()
    box = s.box("game")  # somebody puts both back: new UIDs
    assert box.select("Processed")[0] == "OK" and box.copy("1:*", "INBOX")[0] == "OK"
    box.logout()
    s.send("english", "Munro's: advance 3", reply_to=welcome)
    s.tick()
    assert not s.mails("game")
    receipts = s.mails("english", "receipt")
    assert len(receipts) == 3, len(receipts)
    has(receipts[2], "N: move 3 forward")


def deadline():
    """A week in the past, for Dovecot puts no mail into the future."""
    s = School("deadline")
    s.new_game(now="2026-03-02T09:00:00Z")  # a Monday
    s.tick(now="2026-03-02T09:01:00Z")
    welcome = s.await_mail("english", "welcome")
    has(welcome, "Fri 6 Mar 2026, 16:00 (Europe/London)")
    s.put(s.write("english", "Wolfe's: advance 3", reply_to=welcome), "04-Mar-2026 10:00:00 +0000")
    s.tick(now="2026-03-04T10:05:00Z")
    has(s.await_mail("english", "receipt"), "D: move 3 forward")
    assert not s.mails("english", "report")
    s.put(s.write("english", "Munro's: advance 3", reply_to=welcome), "06-Mar-2026 16:00:01 +0000")  # too late
    s.tick(now="2026-03-06T16:05:00Z")
    for who in "english", "jacobite", "referee":
        has(s.await_mail(who, "report"), "Wolfe's move 3\" to G7.", "Turn 2 ends Fri 13 Mar 2026, 16:00")
    assert "Munro's move" not in text_of(s.mails("english", "report")[0])
    has(s.await_mail("english", "answer"), "Your mail came too late for turn 1, which is over")


for part in passwords, away, strangers, bounces, numbers_lost, deadline:
    print("---", part.__name__, flush=True)
    part()
