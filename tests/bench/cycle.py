#!/usr/bin/python3
"""A whole cycle of fifty games through servers on loopback: 100 order mails with READY in, 100 receipts, 50 turns, 150
reports out. And how many round trips with the mailbox an intake takes."""
import os, sqlite3, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from mail import fill, tick  # noqa: E402
from many import begin_games, order_mail  # noqa: E402
from proxy import Proxy  # noqa: E402
from school import BOX, School, port  # noqa: E402
from sink import Sink  # noqa: E402
from table import figure, timed  # noqa: E402

GAMES = 50


class Counting(Proxy):
    """Counts how often the client speaks after the server has."""
    turns, last_up = 0, False

    def must_wait(self, passed, sent, upwards):
        self.turns += upwards and not self.last_up
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
        proxy = Counting(port("IMAPS_PORT"))
        s.configure(outgoing="smtp", smtp_port=1, imap_port=proxy.port)
        tick(s, expect=3)
        tick(s, expect=3)
        figure("round trips to take and file %d mails" % mails, proxy.turns, "", aim="as many for each 100")


cycle()
round_trips()
