#!/usr/bin/python3
"""Mails that mean harm, through the whole product: what a player or a stranger writes must not become a header, a log line, a
template's field or HTML; nobody gets in without a secret of his own; and neither five thousand mails nor two machines that
write to each other make more mail than a person would read."""
import csv, email, email.policy, email.utils, os, re, time, urllib.parse
from home import HOUR, Home, attempt, finish, row

ALL = os.environ.get("HOSTILE") == "all"
EVIL = ("\r\nBcc: all@evil.test", "\nX-Evil: 1", "=?utf-8?Q?a=0D=0ABcc:_all=40evil.test?=", "{{key}} {{#orders}}{{seed}}{{/orders}}",
        "<script>alert(1)</script><img src=x onerror=alert(1)>", "</pre></body><b>", "%s%n%d", "\x1b[2Jred", "\u202eabc", "&lt;b&gt;",
        "2026-11-01T00:00:00Z warning: forged", "--- ORDERS g turn 1 ---", "\x00nul", "a" * 3000)


def mail(text, sender="ann@school.test", subject="orders", to="galloper@game.test", message_id=None, extra=""):
    """Raw, so that what no mail program would write can be written too."""
    return ("%sFrom: %s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: %s\r\n\r\n%s\r\n" % (
        extra, sender, to, subject, message_id or email.utils.make_msgid(domain="school.test"), text)).encode("utf-8", "replace")


def proved(home, text, role="E"):
    return "GAME %s\nKEY %s\n\n%s" % (home.name, home.key(role), text)


def raw_sent(home):
    for folder, _, files in os.walk(home.folder + "/mail/out"):
        for name in files:
            if folder.endswith("/new"):
                with open(folder + "/" + name, "rb") as f:
                    yield f.read()


def check_clean(home):
    """Every mail of ours has the headers we gave it and no others, HTML without what somebody put in, and lines that are ours."""
    count = 0
    for raw in raw_sent(home):
        head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].decode("ascii")
        names = re.findall(r"(?m)^([^\s:]+):", head)
        assert len(names) == len(set(names)), "a header stands twice: %s" % names
        assert set(names) <= {"Date", "From", "To", "Reply-To", "Subject", "Message-ID", "In-Reply-To", "References", "List-Id",
                              "Auto-Submitted", "Precedence", "X-Auto-Response-Suppress", "X-Galloper-Loop", "X-Galloper-Mail",
                              "MIME-Version", "Content-Type"}, names
        m = email.message_from_bytes(raw, policy=email.policy.default)
        assert not m.defects, m.defects
        page = m.get_body(("html",)).get_content().lower()
        for tag in re.findall(r"<\s*/?\s*([a-z!]+)", page):
            assert tag in ("!doctype", "html", "head", "meta", "style", "body", "pre", "span", "b", "i", "u", "br", "small"), tag
        assert "onerror=" not in re.sub(r">[^<]*<", "><", page), "an attribute of theirs"
        text = m.get_body(("plain",)).get_content()
        assert "\x1b" not in text and "\x00" not in text and "\u202e" not in text, "a control character of theirs"
        count += 1
    for line in home.said.split("\n"):
        assert not line.startswith("2026-11-01T00:00:00Z warning: forged"), line
    assert "\x1b" not in home.said and "all@evil.test" not in home.said
    return count


def attached(evil):
    """Orders in a file whose name, type and charset are theirs."""
    quoted = urllib.parse.quote(evil.encode("utf-8", "replace"))
    return ("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
            "--b\r\nContent-Type: text/plain; charset=\"%s\"\r\n\r\nBarrell's: hold\r\n"
            "--b\r\nContent-Type: application/x-%s; name=\"%s\"\r\nContent-Disposition: attachment; filename=\"%s\"\r\n\r\nx\r\n"
            "--b\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename*=utf-8''%s\r\n\r\nx\r\n--b--" % (
                evil, evil, evil, evil, quoted))


def evil_mails(home):
    """Of a player, the referee and a stranger, with what is theirs in each place where something of theirs may stand."""
    for n, evil in enumerate(EVIL):
        flat = evil.replace("\r", " ").replace("\n", " ")
        extra, parts = attached(evil)
        yield mail(proved(home, "Barrell's: advance 1\nSAY " + flat))
        yield mail(proved(home, "TELL REFEREE " + flat))
        yield mail(proved(home, evil + ": advance 2"))
        yield mail(proved(home, "Barrell's: hold # " + flat), subject=evil, message_id="<%d%s@x>" % (n, evil))
        yield mail(proved(home, "HELP"), extra="In-Reply-To: <a%s>\r\nReferences: <b> %s\r\n" % (evil, evil))
        yield mail("GAME %s\nKEY %s\n\nSTATUS" % (evil, evil), sender='"%s" <stranger%d@evil.test>' % (evil, n))
        yield mail(proved(home, "STATUS"), sender="%s <ann@school.test>" % evil)
        yield mail(proved(home, "STATUS"), to='"%s" <galloper+%s@game.test>' % (evil, flat))
        yield mail(parts, extra=extra)
        for words in ("SAY ALL: ", "NOTE ", "EXTEND 1 DAY BECAUSE ", "RULE review BECAUSE ", "ABSENT FROM ", "VERDICT ", "ORDER E: "):
            yield mail(proved(home, words + flat, role="referee"), sender="head@school.test")


def evil_names(home, at):
    """People with such names, by the command line and from a table, who then speak to the others; gives how many."""
    table = home.folder + "/people.csv"
    with open(table, "w", encoding="utf-8", newline="") as f:
        rows = csv.writer(f)
        rows.writerow(("role", "name", "address", "units"))
        rows.writerows(("E", evil.replace("\0", "") + "!", "cat%d@school.test" % n, "") for n, evil in enumerate(EVIL))
    home.at(at, "player", "import", home.name, table, expect=(0, 1))
    for n, evil in enumerate(EVIL):
        home.at(at, "player", "add", home.name, "J", "tom%d@school.test" % n, "--name", evil.replace("\0", ""), expect=(0, 1))
    home.tick(at + 60)
    people = home.query("SELECT address, key FROM address WHERE address LIKE 'cat%' OR address LIKE 'tom%'")
    for n, (address, key) in enumerate(people):
        home.put(mail("GAME %s\nKEY %s\n\nSAY ALL: hello\nSTATUS" % (home.name, key), sender=address), at + 120 + n)
    home.tick(at + 300)
    return len(people)


def injections():
    home = Home("inject", answers_per_hour=1000)
    home.tick(60)
    at = HOUR
    for raw in evil_mails(home):
        home.put(raw, at)
        at += 1
    mails = at - HOUR
    home.tick(at + 60)
    home.at(at + 120, "game", "new", "evil\r\nBcc: x@y.example", "--battle", "falkirk", "--english", "x@y.example",
                   "--jacobite", "z@y.example", "--referee", "r@y.example", expect=(1, 2, 3))
    for bad in "a@b.example\r\nBcc: x@y.example", "a@b.example>\r\nRCPT TO:<x@y.example", "<script>@b.example", "a@b.example, c@d.example":
        said = home.at(at + 120, "player", "add", home.name, "E", bad, expect=1)
        assert "address" in said, said
    named = evil_names(home, at + 180)
    home.tick(at + 8 * HOUR)
    count = check_clean(home)
    told = [m.get_body(("plain",)).get_content() for m in home.sent("ben@school.test")]
    assert any("onerror=alert(1)" in text for text in told), "what they said did not come to anybody"
    left = home.query("SELECT state, count(*) FROM mail GROUP BY 1")
    assert not any(state == "fetched" for state, _ in left), left
    home.whole()
    row("headers, log, template, HTML", "no field, line or tag of theirs in %d mails sent" % count, mails=mails, names=named)


def who_writes():
    home = Home("who")
    home.make_game("next")
    home.tick(60)
    welcome = home.sent("ann@school.test", "welcome")
    mine, other = (next(m for m in welcome if "[%s " % name in m["Subject"]) for name in ("who", "next"))
    address = mine["Reply-To"].addresses[0].addr_spec
    token = address.partition("+")[2].partition("@")[0]
    tries = {
        "forged From, no secret": mail("GAME who\n\nBarrell's: advance 1"),
        "forged From, forged Authentication-Results": mail(
            "GAME who\n\nBarrell's: advance 1",
            extra="Authentication-Results: game.test; spf=pass dkim=pass header.d=school.test\r\n"),
        "guessed key": mail("GAME who\nKEY river-castle-yellow-1234\n\nBarrell's: advance 1"),
        "guessed token": mail("Barrell's: advance 1", to="galloper+%s@game.test" % (token[:-1] + ("0" if token[-1] != "0" else "1"))),
        "a player's token from another address": mail("Barrell's: advance 1", sender="eve@evil.test", to=address),
        "a player's key from another address": mail(proved(home, "Barrell's: advance 1"), sender="eve@evil.test"),
        "the other side's key": mail(proved(home, "Barrell's: advance 1", role="J")),
        "two From headers": mail(proved(home, "Barrell's: advance 1"), extra="From: eve@evil.test\r\n"),
        "another game's token": mail("Barrell's: advance 1", to=other["Reply-To"].addresses[0].addr_spec),
        "a token of its own for an order of the other side": mail("Camerons: advance 1", to=address),
        "a player who gives the referee's orders": mail(proved(home, "RESOLVE TURN 1")),
    }
    for n, (name, raw) in enumerate(tries.items()):
        home.put(raw, HOUR + 60 * n)
        home.tick(HOUR + 60 * n + 30)
        orders = home.query("SELECT s.canonical FROM sheet s JOIN player p ON p.id = s.player JOIN game g ON g.id = p.game "
                            "WHERE g.name = 'who' AND s.canonical <> ''")
        assert not orders, "%s: %s" % (name, orders)
        assert home.one("SELECT count(*) FROM turn") == 0, name
        for m in home.sent("eve@evil.test"):
            assert "Hawley" not in m.as_string() and "Barrell" not in m.as_string(), "%s: a stranger saw the game" % name
        row(name, "no order counts")
    home.put(mail("Barrell's: advance 1", to=address), 2 * HOUR)
    home.tick(2 * HOUR + 60)
    assert home.one("SELECT count(*) FROM sheet s JOIN game g ON g.id = s.game WHERE g.name = 'who' AND s.canonical LIKE 'R: %'") == 1
    home.whole()
    row("the player's own token", "counts")


def replayed():
    """The same mail again, and an old reply after its turn: a token serves its own turn only."""
    home = Home("replay")
    home.tick(60)
    address = home.sent("ann@school.test", "welcome")[0]["Reply-To"].addresses[0].addr_spec
    first = mail("Barrell's: advance 1", to=address, message_id="<one@school.test>")
    home.put(first, HOUR)
    home.tick(HOUR + 60)
    home.put(first, HOUR + 120)
    home.put(b"Received: from elsewhere\r\n" + first, HOUR + 121)
    home.tick(HOUR + 180)
    home.tick(HOUR + 240)
    assert home.one("SELECT count(*) FROM sheet") == 1
    assert home.query("SELECT state, count(*) FROM mail GROUP BY 1 ORDER BY 1") == [("done", 1), ("duplicate", 2)]
    home.put(mail(proved(home, "RESOLVE TURN 1", role="referee"), sender="head@school.test"), 2 * HOUR)
    home.tick(2 * HOUR + 60)
    assert home.one("SELECT turn FROM game") == 2
    home.put(mail("Barrell's: advance 2", to=address), 3 * HOUR)
    home.tick(3 * HOUR + 60)
    assert home.one("SELECT count(*) FROM sheet WHERE turn = 2") == 0, "an old token gave orders for a new turn"
    row("a mail replayed, an old token", "counted once; an old turn's reply gives no order")


def bomb(mails):
    home = Home("bomb", answers_per_hour=8)
    home.tick(60)
    key = home.key("E")
    for n in range(mails):
        home.put(mail("GAME bomb\nKEY none\n\nBarrell's: advance %d" % n, sender="eve@evil.test") if n % 2 else
                 mail("GAME bomb\nKEY %s\n\nBarrell's: advance %d" % (key, n % 6 + 1)), HOUR + n // 100)
    home.put(mail("GAME bomb\nKEY %s\n\nCamerons: advance 2" % home.key("J"), sender="ben@school.test"), HOUR + mails)
    home.cpu = 0.0
    began = time.monotonic()
    home.tick(HOUR + mails + 60)
    took = time.monotonic() - began
    stranger, known = len(home.sent("eve@evil.test")), len(home.sent("ann@school.test")) - 1
    assert stranger == 1, "%d answers to a stranger" % stranger
    assert known == 6 * 8, "%d answers to orders within an hour" % known
    assert len(home.sent("ben@school.test", "receipt")) == 1, "another player had no answer"
    assert home.one("SELECT count(*) FROM mail WHERE state = 'fetched'") == 0
    assert took < mails / 20, "%d mails took %.1f s" % (mails, took)
    peak = home.peak // 1024
    assert os.environ.get("MODE") == "asan" or peak < 64, "%d MB" % peak
    row("%d mails of two senders" % (mails + 1), "1 answer to the stranger, %d to the player, the other player served" % known,
        seconds=took, cpu=home.cpu, megabytes=peak)


def echo():
    """Two games that are each the other's player: each answers every answer, if it may."""
    homes = [Home("left", game=False, address="left@game.test"), Home("right", game=False, address="right@game.test")]
    for home, other in zip(homes, ("right@game.test", "left@game.test")):
        home.at(0, "game", "new", home.name, "--battle", "falkirk", "--english", other, "--jacobite", "ben@school.test", "--referee",
                "head@school.test", "--every", "Fri 16:00", "--skip", "2026-10-26..2026-12-06")
    seen, rounds = set(), 0
    for rounds in range(1, 13):
        moved = 0
        for home, other in zip(homes, reversed(homes)):
            home.tick(rounds * HOUR)
            folder = "%s/mail/out/%s@game.test/new" % (home.folder, other.name)
            for name in os.listdir(folder) if os.path.isdir(folder) else ():
                if (home.name, name) not in seen:
                    seen.add((home.name, name))
                    moved += 1
                    with open(folder + "/" + name, "rb") as f:
                        raw = f.read()
                    # A bad gateway takes away what says that a machine wrote it; the sender's own marks stay.
                    if rounds % 2:
                        raw = re.sub(rb"(?m)^(Auto-Submitted|Precedence|List-Id|X-Auto-Response-Suppress): .*\r\n", b"", raw)
                    other.put(raw, rounds * HOUR)
        if moved == 0:
            break
    assert len(seen) <= 4, "%d mails went to and fro" % len(seen)
    row("two Gallopers that write to each other", "ends after %d mails" % len(seen), rounds=rounds)


def stubborn_echo():
    """A machine that answers every mail of ours, and hides well that it is one."""
    home = Home("echo", answers_per_hour=10)
    home.tick(60)
    text = "GAME echo\nKEY %s\n\nHELP" % home.key("E")
    for minute in range(120 if ALL else 30):
        home.put(mail(text), HOUR + 60 * minute)
        home.tick(HOUR + 60 * minute + 1)
    answers = len(home.sent("ann@school.test")) - 1
    assert answers <= (21 if ALL else 10), "%d answers" % answers
    row("an echo that hides, one mail a minute", "%d answers to %d mails" % (answers, minute + 1))


def bombs():
    """Mails that cost: depth, size, lines, parts, and HTML in itself."""
    home = Home("bombs")
    home.tick(60)
    nested = "".join("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(20000))
    rfc822 = "Content-Type: message/rfc822\r\n\r\n" * 32768
    head = "From: ann@school.test\r\nTo: galloper@game.test\r\nSubject: x\r\nMessage-ID: <%s@x>\r\nMIME-Version: 1.0\r\n"
    cases = {
        "nested 20,000 deep": head % "a" + nested,
        "32,768 mails in each other": head % "b" + rfc822,
        "the boundary that kills libetpan": head % "c" + 'Content-Type: multipart/mixed; boundary="\\""\r\n\r\n--"\r\n',
        "100,000 parts": head % "d" + "Content-Type: multipart/mixed; boundary=p\r\n\r\n" + "--p\r\n\r\nx\r\n" * 100000,
        "a line of 5 MB": head % "e" + "\r\n" + "a" * (5 << 20),
        "a million lines": head % "f" + "\r\n" + "x: y\r\n" * 1000000,
        "20,000 header fields": head % "g" + "".join("X-%d: y\r\n" % n for n in range(20000)) + "\r\nhold\r\n",
        "comments 50,000 deep": (head % "h").replace("ann@school.test", "(" * 50000 + "ann@school.test") + "\r\nhold\r\n",
        "HTML 100,000 deep": head % "i" + "Content-Type: text/html\r\n\r\n" + "<div>" * 100000 + "hold",
        "20 MB of base64": head % "j" + "Content-Transfer-Encoding: base64\r\n\r\n" + ("QUFB" * 18 + "\r\n") * 270000,
    }
    for n, (name, raw) in enumerate(cases.items()):
        home.put(raw.encode(), HOUR + n * 60)
        home.put(mail("GAME bombs\nKEY %s\n\nCamerons: advance %d" % (home.key("J"), n % 5 + 1), sender="ben@school.test"), HOUR + n * 60 + 1)
        home.cpu = home.longest = 0.0
        home.tick(HOUR + n * 60 + 30)
        state, = home.query("SELECT state, why FROM mail WHERE id = ?", 2 * n + 1) or [("?", "")]
        assert state[0] in ("done", "rejected"), "%s: %s" % (name, state)
        assert len(home.sent("ben@school.test", "receipt")) == n + 1, "%s held up the next mail" % name
        assert home.longest < 35, "%s: %.1f s" % (name, home.longest)
        row(name, state[0] + (": " + state[1] if state[1] else ""), seconds=home.longest, cpu=home.cpu)
    home.whole()


parts = [injections, who_writes, replayed, echo, stubborn_echo, lambda: bomb(5000 if ALL else 300)]
if ALL:
    parts.append(bombs)
for part in parts:
    attempt(part.__name__, part)
finish()
