#!/usr/bin/python3
"""A whole cycle of fifty games through servers on loopback: 100 order mails with READY in, 100 receipts, 50 turns, 150
reports out. And how many round trips with the mailbox an intake takes, and how long it is if those are slow."""
import os, sqlite3, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from mail import check_all_read, fill, intake, tick  # noqa: E402
from many import begin_games, order_mail  # noqa: E402
from proxy import Proxy  # noqa: E402
from school import BOX, School, port  # noqa: E402
from sink import Sink  # noqa: E402
from table import figure, timed  # noqa: E402

GAMES, DELAY = 50, 0.02


class Far(Proxy):
    """A server that is some way off: counts how often the client speaks after the server has, and takes its time then."""
    turns, last_up, delay = 0, False, 0.0

    def must_wait(self, passed, sent, upwards):
        if upwards and not self.last_up:
            self.turns += 1
            time.sleep(self.delay)
        self.last_up = upwards
        return False


def cycle():
    sink = Sink(BOX)
    s = School("cycle", outgoing="maildir", log_level="quiet")
    begin_games(s, GAMES)
    fill(s, "game", [order_mail(s, game, game, side, "READY\n") for game in range(GAMES) for side in ("english", "jacobite")])
    s.configure(outgoing="smtp", smtp_port=sink.port)
    took = timed(lambda: tick(s))
    with sqlite3.connect(s.folder + "/galloper.db") as db:
        assert db.execute("SELECT count(*) FROM turn").fetchone() == (GAMES,)
        kinds = dict(db.execute("SELECT kind, count(*) FROM outbox WHERE state = 'sent' GROUP BY 1"))
    assert (kinds["receipt"], kinds["report"]) == (2 * GAMES, 3 * GAMES) and sink.mails == 5 * GAMES, kinds
    figure("a cycle of %d games" % GAMES, "%.2f" % took, "s", aim="under 0.75")


def round_trips():
    for mails in 100, 1000:
        s = School("trips%d" % mails, outgoing="maildir", log_level="quiet")
        begin_games(s, 50)
        fill(s, "game", [order_mail(s, i % 50, i) for i in range(mails)])
        proxy = Far(port("IMAPS_PORT"))
        proxy.delay = DELAY
        s.configure(outgoing="smtp", smtp_port=1, imap_port=proxy.port)
        took = timed(lambda: intake(s))
        check_all_read(s, mails)
        figure("round trips to take and file %d mails" % mails, proxy.turns, "", aim="2 for each 250, and 9 to 11 to begin")
        figure("the same, each %.0f ms long" % (DELAY * 1000), "%.2f" % took, "s", "the round trips alone",
               "%.2f" % (DELAY * proxy.turns), "%.2f" % (took / (DELAY * proxy.turns)))


cycle()
round_trips()
