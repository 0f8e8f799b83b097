#!/usr/bin/python3
"""The pass that finds many games at their deadline: in each both armies move, shoot and charge, and three reports are
written and queued. A thousand games beside a hundred, in processor time a game; nothing is sent."""
import os, resource, sqlite3, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from many import multiply  # noqa: E402
from school import School  # noqa: E402
from table import figure  # noqa: E402

MONDAY, FEW, MANY, ROUNDS = 1799658000, 100, 1000, 2
ORDERS = "all: advance 6; fire nearest; charge nearest"


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def turns(name, count):
    """Milliseconds a game."""
    s = School(name, incoming="maildir", outgoing="maildir", log_level="quiet")
    s.new_game(now="@%d" % MONDAY)
    s.tick(now="@%d" % MONDAY)
    for side in "EJ":
        s.galloper("referee", name, "ORDER %s TURN 1: %s" % (side, ORDERS), now="@%d" % MONDAY)
    s.tick(now="@%d" % MONDAY)
    multiply(s.folder, count)
    s.configure(outgoing="smtp", smtp_port=1)
    with sqlite3.connect(s.folder + "/galloper.db") as db:
        [deadline] = db.execute("SELECT max(deadline) FROM game").fetchone()
        before = used()
        s.tick(now="@%d" % (deadline + 60), expect=3)
        took = used() - before
        assert db.execute("SELECT count(*) FROM turn").fetchone() == (count,)
        assert db.execute("SELECT count(*) FROM outbox WHERE kind = 'report'").fetchone() == (3 * count,)
    return took / count * 1000


few, many = (min(turns("turns%d-%d" % (count, number), count) for number in range(ROUNDS)) for count in (FEW, MANY))
figure("turns of %d games, all stored and written" % MANY, "%.2f" % many, "ms of processor each", "the same with %d games" % FEW,
       "%.2f" % few, "%.2f" % (many / few), "1: linear")
