#!/usr/bin/python3
"""The whole product against IMAP servers with a fault each (../e2e/imap_odd.py), all at the same time: six passes an hour
apart, then a daemon for some seconds, then the servers are mended. Each time: no pass outlasts its deadlines, none burns the
processor, the server is left alone for longer and longer, the mail that waits to go out goes out, the operator is told, and
once the server is well again every order that ever lay in the mailbox counts, once."""
import os
from home import DAY, HOUR, MONDAY, Home, against, attempt, connections, finish, odd_servers, row

SERVER = {"incoming": "imap", "imap_host": "localhost", "imap_user": "game", "imap_password": "secret", "imap_security": "tls"}
WHEN = 10 * DAY  # all of the server's mails have arrived
DEADLINE = 2  # network-seconds
LACKS = "did not deliver every mail"
# mode: orders that come through at the first pass, what the log says, is the operator told within six passes, and orders
# at the end (three, but for mails that the server spoilt when it was first asked)
EXPECTED = {
    "half": (3, "", False, 3), "news": (3, "", False, 3), "bye": (3, "", False, 3), "preauth": (3, "", False, 3),
    "validity": (3, "", False, 3), "nul": (2, "", True, 2), "overflow": (2, "", True, 2), "size": (2, "", False, 2),
    "poison": (2, LACKS, True, 3), "eof": (2, LACKS, True, 3), "nil": (2, LACKS, True, 3), "ghost": (2, LACKS, True, 3),
    "huge": (2, LACKS, True, 3), "nouid": (2, LACKS, True, 3), "nested": (2, LACKS, True, 3),
    "stop": (2, LACKS, True, 3), "drip": (2, LACKS, True, 3), "listno": (1, "did not list", True, 3),
    "backoff": (0, "Suggested Backoff", True, 3), "throttled": (0, "Too many simultaneous", True, 3),
    "busy": (0, "does not greet us", True, 3), "trickle": (0, "silent", True, 3), "stall": (0, "silent", True, 3),
    "refused": (0, "Invalid credentials", True, 3), "password": (0, "Application-specific password", True, 3),
    "nomailbox": (0, "Unknown Mailbox", True, 3), "novalidity": (0, "UIDVALIDITY", True, 3),
    "clear-preauth": (0, "before STARTTLS", True, 3), "clear-inject": (0, "STARTTLS", True, 3),
    "clear-only": (0, "STARTTLS", True, 3),
}
SHORT = ("half", "eof", "drip", "backoff", "validity", "clear-inject")


def order_mails(home):
    """1.eml .. 6.eml: every one another order of the English."""
    folder = home.folder + "/mails"
    os.mkdir(folder)
    for n in range(1, 7):
        with open("%s/%d.eml" % (folder, n), "w", newline="\r\n") as f:
            f.write("From: ann@school.test\nTo: galloper@game.test\nSubject: orders\nMessage-ID: <%d@school.test>\n\n"
                    "GAME odd\nKEY %s\n\nBarrell's: advance %d\n" % (n, home.key("E"), n))
    return folder


def first_pass(mode):
    """All mails have arrived; for some an hour ago, so that one that does not come is waited for."""
    return 8 * DAY if mode in ("ghost", "eof", "listno") else WHEN


def orders(home):
    return home.one("SELECT count(*) FROM sheet")


def first_part(mode, home, port):
    """Until the server is mended."""
    come, says, told, _ = EXPECTED[mode]
    when = first_pass(mode)
    clear = mode.startswith("clear-")
    home.configure(imap_port=port, imap_security="starttls" if clear else "tls")
    for hour in range(1 if mode in ("stop", "drip") else 6):  # these take seconds each time
        home.tick(when + hour * HOUR, expect=(0, 3))
        if hour == 0:
            assert orders(home) == come, "%s: %d orders came through" % (mode, orders(home))
            assert len(home.sent("ann@school.test", "welcome")) == 1, "%s kept the outgoing mail" % mode
    assert says in home.said, "%s: %r was not said:\n%s" % (mode, says, home.said)
    notices = [m for m in home.sent("op@school.test", "notice")]
    assert (len(notices) == 1) == told, "%s: %d notices for the operator" % (mode, len(notices))
    before = connections(mode)
    log, burnt = home.run_daemon(4, started=MONDAY + when + 6 * HOUR)
    tried = connections(mode) - before
    assert burnt < 1.0, "%s: the daemon took %.2f s of the processor in 4 s" % (mode, burnt)
    if says and not come:
        assert tried <= 1 and "it is left alone until" in log, "%s: %d tries in 4 s:\n%s" % (mode, tried, log)
    # Mails that never come are asked for one by one on new connections, ten at most in a pass.
    assert tried <= 4 * 11, "%s: %d connections in 4 s" % (mode, tried)
    return come, tried, burnt


def second_part(mode, home, come, tried, burnt):
    home.tick(WHEN + 8 * HOUR)
    home.tick(WHEN + 9 * HOUR)
    count = EXPECTED[mode][3]
    assert orders(home) == count, "%s: %d orders at the end" % (mode, orders(home))
    assert len(home.sent("ann@school.test", "receipt")) == count, mode
    assert home.one("SELECT count(*) FROM mail WHERE state = 'fetched'") == 0
    home.whole()
    assert home.longest < limit_of(mode), "%s: a pass took %.1f s" % (mode, home.longest)
    row("IMAP " + mode, "%d of 3 orders at once, %d when mended" % (come, count) + (", operator told" if EXPECTED[mode][2] else ""),
        longest=home.longest, cpu=home.cpu, daemon_cpu=burnt, tries=tried)


def limit_of(mode):
    # A whole pass: connecting, log-in, listing, fetching and the farewell have a deadline each; the mails that do not come
    # are tried again one by one.
    return {"stop": 9, "drip": 9, "eof": 3}.get(mode, 4) * DEADLINE + 4


def reused(mode, home, port):
    """The mailbox is made anew: old numbers, other mails."""
    home.configure(imap_port=port)
    home.tick(WHEN, expect=(0, 3))
    assert orders(home) == 3, orders(home)
    home.tick(WHEN + HOUR, expect=(0, 3))
    assert orders(home) == 6, "%s: %d of 6 orders" % (mode, orders(home))
    home.tick(WHEN + 2 * HOUR, expect=(0, 3))
    assert orders(home) == 6 and len(home.sent("ann@school.test", "receipt")) == 6
    row("IMAP " + mode, "6 of 6 orders counted, once each")


def main():
    modes = SHORT if os.environ.get("HOSTILE") != "all" else EXPECTED
    renumbered = ("reused", "sameuids")
    base = Home("odd", game=False, **SERVER, imap_port=1)
    os.chmod(base.conf, 0o600)
    base.tick(0, expect=3)  # the account is known from now on: what comes later is not old mail
    base.make_game("odd")
    with odd_servers("../e2e/imap_odd.py", (*modes, *renumbered), ODD_MAILS=order_mails(base)) as ports:
        homes = {mode: base.copy(mode) for mode in (*modes, *renumbered)}
        against(modes, lambda mode: first_part(mode, homes[mode], ports[mode]),
                lambda mode, *found: second_part(mode, homes[mode], *found), 10)
        for mode in renumbered:
            attempt(mode, lambda: reused(mode, homes[mode], ports[mode]))


main()
finish()
