#!/usr/bin/python3
"""A thousand order mails from a mailbox on Dovecot: `galloperd tick`, which reads, stores and answers them, beside mbsync,
which only copies them. Each round both have a mailbox of the same mails; who begins changes each round."""
import glob, imaplib, os, re, statistics, subprocess, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from school import PASSWORD, School, port  # noqa: E402

MAILS, ROUNDS = int(os.environ.get("BENCH_MAILS", 1000)), int(os.environ.get("BENCH_ROUNDS", 3))


def timed(do):
    began = time.monotonic()
    do()
    return time.monotonic() - began


def fill(school, who, mails):
    box = school.box(who)
    for mail in mails:
        assert box.append("INBOX", None, imaplib.Time2Internaldate(time.time()), mail)[0] == "OK"
    box.logout()


def tick(school):
    school.run("-c", school.conf, "tick", program="GALLOPERD")


def check_all_read(school):
    """What has been read is filed at the next poll."""
    tick(school)
    filed = len(school.mails("game", folder="Processed"))
    assert filed == MAILS, "%d of %d mails were read" % (filed, MAILS)


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


ours, theirs = [], []
for number in range(ROUNDS):
    s = School("bench%d" % number, outgoing="maildir", log_level="quiet")
    s.new_game()
    tick(s)
    welcome = next(text for path in glob.glob(s.folder + "/mail/out/*english*/*/*")
                   for text in [open(path, encoding="utf-8").read()] if re.search(r"(?m)^\s+KEY (\S+)", text))
    key = re.search(r"(?m)^\s+KEY (\S+)", welcome).group(1)
    mails = [s.write("english", "Wolfe's: advance %d\nBarrell's: move 4 north; fire at Camerons" % (i % 4 + 1),
                     key=key).as_bytes() for i in range(MAILS)]
    fill(s, "game", mails)
    fill(s, "english", mails)
    for which in (0, 1) if number % 2 else (1, 0):
        (ours if which else theirs).append(timed(lambda: tick(s) if which else mbsync(s)))
    check_all_read(s)
print("intake of %d mails  %8.2f s; mbsync copies them in %.2f s; ratio %.2f" % (
    MAILS, statistics.median(ours), statistics.median(theirs),
    statistics.median(a / b for a, b in zip(ours, theirs))))
