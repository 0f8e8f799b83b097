#!/usr/bin/python3
"""The whole product against SMTP servers with a fault each (smtp_odd.py), all at the same time: six passes an hour apart with
six mails to send, a daemon for some seconds, then the servers are mended. Each time: no pass outlasts its deadlines, none
burns the processor, orders that come in meanwhile are read, the log says what is wrong, a server that refuses is left alone
for longer and longer, and in the end every mail has been taken; more than once only where the server kept its word of it to
itself, and then the very same bytes under the same Message-ID."""
import os, time
from home import HOUR, MONDAY, Home, against, connections, finish, odd_servers, row
from school import BOX, until

AWAY = "left alone until"
# mode: (what the log says, is the server left alone, is the mail lost because the server refuses it for good)
EXPECTED = {
    "greet-421": ("", True, False), "greet-554": ("", True, False), "greet-eof": ("", True, False),
    "greet-hang": ("does not answer", True, False),
    "ehlo-421": ("", True, False), "ehlo-500": ("", True, False), "ehlo-eof": ("", True, False),
    "ehlo-hang": ("does not answer", True, False), "ehlo-drip": ("", True, False),
    "auth-454": ("cannot log us in now", True, False), "auth-535": ("refuses our user name", True, False),
    "auth-eof": ("", True, False), "auth-hang": ("does not answer", True, False),
    "mail-421": ("closing down", True, False), "mail-451": ("takes no mail of ours now", True, False),
    "mail-550": ("our own address", True, False), "mail-daily": ("all that it may for today", True, False),
    "mail-eof": ("", True, False), "mail-hang": ("does not answer", True, False),
    "rcpt-450": ("later", False, False), "rcpt-550": ("refused", False, True), "rcpt-eof": ("", True, False),
    "rcpt-hang": ("does not answer", True, False), "rcpt-daily": ("all that it may for today", True, False),
    "data-451": ("later", False, False), "data-554": ("refused", False, True), "data-eof": ("", True, False),
    "data-hang": ("does not answer", True, False),
    "dot-451": ("later", False, False), "dot-552": ("refused", False, True), "dot-daily": ("all that it may for today", True, False),
    "dot-eof": ("uncertain", True, False), "dot-hang": ("uncertain", True, False), "dot-lost": ("uncertain", True, False),
    "dot-late": ("uncertain", True, False), "dot-drip": ("uncertain", True, False),
}
SHORT = ("greet-hang", "mail-daily", "rcpt-eof", "dot-late")
SILENT = ("dot-eof", "dot-hang", "dot-lost", "dot-late", "dot-drip")  # nobody knows what became of the mail


def taken(mode):
    with open(BOX + "/taken.log") as f:
        return [line.split()[1:] for line in f if line.split()[0] in (mode, "none-" + mode)]


def wait_for(home, mode, alone):
    """Four seconds, or as long as it takes until the server is left alone."""
    time.sleep(4)
    if alone:
        until("%s left alone" % mode, lambda: AWAY in open(home.folder + "/daemon.log").read(), 30)


def first_part(mode, home, port):
    says, alone, _ = EXPECTED[mode]
    home.configure(smtp_port=port)
    tries = []
    slow = mode.endswith(("hang", "drip", "late"))
    for hour in range(2 if slow else 6):
        if hour == 1:
            home.put("From: ann@school.test\nSubject: x\nMessage-ID: <%s>\n\nGAME odd\nKEY %s\n\nBarrell's: advance 2\n" % (
                mode, home.key("E", "odd")), HOUR)
        before = connections(mode)
        home.tick(60 + hour * HOUR, expect=(0, 3))
        tries.append(connections(mode) - before)
    assert home.one("SELECT count(*) FROM sheet") == 1, "%s kept the orders from being read" % mode
    started = time.monotonic()
    log, burnt = home.run_daemon(4, started=MONDAY + 60 + 6 * HOUR, wait=lambda: wait_for(home, mode, alone))
    assert burnt < 1.0, "%s: the daemon took %.2f s of the processor in %.1f s" % (mode, burnt, time.monotonic() - started)
    assert says in log + home.said, "%s: %r was not said:\n%s" % (mode, says, log)
    assert (AWAY in log) == alone, "%s: left alone should be %s:\n%s" % (mode, alone, log)
    return max(tries), burnt, log


def second_part(mode, home, tries, burnt, log):
    lost = EXPECTED[mode][2]
    for hour in 12, 18, 24, 30:
        home.tick(hour * HOUR)
    rows = home.query("SELECT state, count(*) FROM outbox WHERE kind IN ('welcome', 'receipt') GROUP BY 1 ORDER BY 1")
    all_mails = sum(count for _, count in rows)
    states = dict(rows)
    mails = taken(mode)
    ids = {m[0] for m in mails}
    assert len(ids) == len({tuple(m[:2]) for m in mails}), "%s: one Message-ID, other bytes" % mode
    again = len(mails) - len(ids)
    if mode not in SILENT:
        assert again == 0, "%s: %d mails twice" % (mode, again)
    if not lost:
        assert states == {"sent": all_mails}, "%s: %s" % (mode, states)
    else:
        assert set(states) <= {"sent", "failed"}, "%s: %s" % (mode, states)
    home.whole()
    row("SMTP " + mode, "%d of %d taken%s%s" % (len(ids), home.one("SELECT count(*) FROM outbox"),
                                              ", %d more than once" % again if again else "",
                                              ", server left alone" if EXPECTED[mode][1] else ""),
        longest=home.longest, cpu=home.cpu, daemon_cpu=burnt, connections_a_pass=tries)
    assert home.longest < 24, "%s: a pass took %.1f s" % (mode, home.longest)


def main():
    modes = SHORT if os.environ.get("HOSTILE") != "all" else tuple(EXPECTED)
    base = Home("out")
    base.configure(outgoing="smtp", smtp_host="localhost", smtp_port=1, smtp_security="tls", smtp_user="game", smtp_password="secret")
    os.chmod(base.conf, 0o600)
    base.make_game("odd")
    with odd_servers("smtp_odd.py", modes) as ports:
        homes = {mode: base.copy(mode) for mode in modes}
        against(modes, lambda mode: first_part(mode, homes[mode], ports[mode]),
                lambda mode, *found: second_part(mode, homes[mode], *found), 12)


main()
finish()
