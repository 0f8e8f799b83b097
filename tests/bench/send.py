#!/usr/bin/python3
"""A thousand reports from the outbox to a server on loopback, each one's state committed, beside bare libcurl."""
import os, sqlite3, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from school import BOX, SMTP_PASSWORD, School  # noqa: E402
from sink import Sink  # noqa: E402
from table import compare, timed  # noqa: E402

REPORTS, ROUNDS = 1000, int(os.environ.get("BENCH_ROUNDS", 3))


def queue(school):
    """The first report of the game, a thousand times, each with a Message-ID of its own."""
    with sqlite3.connect(school.folder + "/galloper.db") as db:
        (first, mail) = db.execute("SELECT o.id, b.bytes FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id "
                                   "WHERE kind = 'report' ORDER BY o.id LIMIT 1").fetchone()
        columns = [row[1] for row in db.execute("PRAGMA table_info(outbox)")]
        new = {"id": "NULL", "state": "'queued'", "message_id": "message_id || ?1", "tries": "0"}
        (begin,) = db.execute("SELECT max(id) FROM outbox").fetchone()
        for n in range(begin + 1, begin + REPORTS + 1):
            db.execute("INSERT INTO outbox SELECT %s FROM outbox WHERE id = ?2"
                       % ", ".join(new.get(c, c) for c in columns), (n, first))
            db.execute("INSERT INTO outbox_bytes SELECT last_insert_rowid(), bytes, printed FROM outbox_bytes "
                       "WHERE outbox = ?", (first,))
    with open(school.folder + "/report", "wb") as f:
        f.write(mail)


sink = Sink(BOX)
s = School("send", incoming="maildir", outgoing="maildir", log_level="quiet")
s.new_game(now="2026-03-02T09:00:00Z")
s.tick(now="2026-03-06T17:00:00Z")
s.configure(outgoing="smtp", smtp_port=sink.port)
ours, theirs = [], []
for number in range(ROUNDS):
    queue(s)
    bare = [os.environ["BENCH_SEND"], "smtps://localhost:%d/mail.test" % sink.port, os.environ["MAIL_CA"], "game",
            SMTP_PASSWORD, s.address("game"), s.address("english"), s.folder + "/report", str(REPORTS)]
    for which in (0, 1) if number % 2 else (1, 0):
        before = sink.mails
        took = timed(lambda: s.tick(now="2026-03-06T17:05:00Z") if which else subprocess.run(bare, check=True))
        assert sink.mails - before == REPORTS, "%d mails arrived" % (sink.mails - before)
        (ours if which else theirs).append(took)
compare("sending %d reports" % REPORTS, ours, theirs, 1, "s", "bare libcurl", "at most 1.25")
