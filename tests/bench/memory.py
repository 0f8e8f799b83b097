#!/usr/bin/python3
"""How much memory the daemon and its reader hold, after the first hundred mails and after ten thousand."""
import os, sqlite3, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from many import begin_games, order_mail  # noqa: E402
from school import School, until  # noqa: E402
from table import figure  # noqa: E402

GAMES, MAILS = 100, int(os.environ.get("BENCH_MANY", 10000))


def megabytes(pid, what):
    with open("/proc/%d/status" % pid) as f:
        return next(int(line.split()[1]) for line in f if line.startswith(what)) / 1024


def done(s):
    with sqlite3.connect(s.folder + "/galloper.db") as db:
        return db.execute("SELECT count(*) FROM mail WHERE state = 'done' AND folder = ''").fetchone()[0]


def put(s, mails, first, last):
    for i in range(first, last):
        with open("%s/mail/in/tmp/%d" % (s.folder, i), "wb") as f:
            f.write(mails[i % len(mails)].replace(b"Message-ID: <", b"Message-ID: <%d." % i))
        os.rename("%s/mail/in/tmp/%d" % (s.folder, i), "%s/mail/in/new/%d" % (s.folder, i))


def measure(s, count, aims):
    with open("/proc/%d/task/%d/children" % (s.daemon.pid, s.daemon.pid)) as f:
        pids = {"daemon": s.daemon.pid, "reader": int(f.read().split()[0])}
    for name, pid in pids.items():
        figure("memory of the %s after %d mails" % (name, count), "%.1f" % megabytes(pid, "VmRSS"), "MB", "not shared with others",
               "%.1f" % megabytes(pid, "RssAnon"), aim=aims[name])
        figure("the most that the %s held until then" % name, "%.1f" % megabytes(pid, "VmHWM"), "MB", aim=aims[name])


s = School("memory", incoming="maildir", outgoing="maildir", log_level="quiet", answers_per_hour=1000)
begin_games(s, GAMES)
mails = [order_mail(s, game, game) for game in range(GAMES)]
s.configure(outgoing="smtp", smtp_port=1)
s.start_daemon()
for first, last in (0, 101), (101, MAILS + 1):
    put(s, mails, first, last)
    until("%d mails read" % last, lambda: done(s) == last, 300)
    time.sleep(2)  # so that the pass is over
    measure(s, last - 1, {"daemon": "under 16", "reader": "under 12"})
s.stop_daemon()
