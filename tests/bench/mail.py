#!/usr/bin/python3
"""A thousand order mails (BENCH_MAILS), from a hundred players, in a mailbox on Dovecot: `galloperd tick`, which reads and stores them,
queues an answer to each and files them away, beside mbsync, which only copies them. Each round both have a mailbox of the
same mails; who begins changes each round."""
import glob, imaplib, os, sqlite3, subprocess, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from school import PASSWORD, School, port  # noqa: E402
from many import begin_games, order_mail  # noqa: E402
from table import compare, timed  # noqa: E402

MAILS = int(os.environ.get("BENCH_MAILS", 1000))
GAMES = max(100, MAILS // 10)  # a player's mails are no more than an hour answers
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 3))


def fill(school, who, mails):
    box = school.box(who)
    for mail in mails:
        assert box.append("INBOX", None, imaplib.Time2Internaldate(time.time()), mail)[0] == "OK"
    box.logout()


def tick(school, expect=0):
    school.run("-c", school.conf, "tick", program="GALLOPERD", expect=expect)


def intake(school):
    """Fetched, committed, read, answers queued, filed in the mailbox. Nothing can be sent (which would be another figure),
    hence the 3."""
    tick(school, expect=3)


def check_all_read(school, count=MAILS):
    with sqlite3.connect(school.folder + "/galloper.db") as db:
        states = db.execute("SELECT state, folder, count(*) FROM mail GROUP BY 1, 2").fetchall()
        assert states == [("done", "", count)], "%d mails were sent, and the ledger has %s" % (count, states)
        assert db.execute("SELECT count(*) FROM outbox WHERE kind = 'receipt'").fetchone() == (count,)


def mbsync(school):
    into = os.path.join(school.folder, "copy")
    os.mkdir(into)
    rc = os.path.join(school.folder, "mbsyncrc")
    with open(rc, "w") as f:
        f.write("IMAPAccount a\nHost localhost\nPort %d\nUser %s\nPass %s\nSSLType IMAPS\nCertificateFile %s\n\n"
                "IMAPStore far\nAccount a\n\nMaildirStore near\nPath %s/\nInbox %s/INBOX\n\n"
                "Channel c\nFar :far:\nNear :near:\nPatterns INBOX\nCreate Near\nSync Pull\nSyncState *\n"
                % (port("IMAPS_PORT"), school.user("english"), PASSWORD, os.environ["MAIL_CA"], into, into))
    subprocess.run(["mbsync", "-q", "-c", rc, "c"], check=True)
    got = len(glob.glob(into + "/INBOX/*/*,*")) + len(glob.glob(into + "/INBOX/new/*"))
    assert got >= MAILS, "mbsync fetched %d of %d" % (got, MAILS)


def main():
    ours, theirs = [], []
    for number in range(ROUNDS):
        s = School("bench%d" % number, outgoing="maildir", log_level="quiet")
        begin_games(s, GAMES)
        mails = [order_mail(s, game, i) for i in range(MAILS // GAMES) for game in range(GAMES)]
        fill(s, "game", mails)
        fill(s, "english", mails)
        s.configure(outgoing="smtp", smtp_port=1)
        for which in (0, 1) if number % 2 else (1, 0):
            (ours if which else theirs).append(timed(lambda: intake(s) if which else mbsync(s)))
        check_all_read(s)
    compare("intake of %d order mails" % MAILS, ours, theirs, 1, "s", "mbsync copying them", "at most 0.5")


if __name__ == "__main__":
    main()
