"""Kills `galloper tick` while it carries out a referee's mails: amendments, release, correction, rollback and what
undoes it. The game is always as before the mail or as after it, never between; in the end each was carried out once,
all that was to be told has been delivered, and every turn replays to the same."""
import email
import os
import random
import sqlite3
import subprocess
import time

MONDAY = 1799658000  # 2027-01-11T09:00:00Z
REFEREE = "head@a.example"
ROUND = ["SET R BASES 4 BECAUSE we counted wrong\nREMOVE Hu BECAUSE he was ill", "RELEASE",
         "SET K BASES 3 BECAUSE all know it already", "ROLLBACK TO TURN %d BECAUSE half the class was ill",
         "ROLLFORWARD", "RESOLVE"]


class Desk:
    def __init__(self, galloper, home):
        self.program, self.home, self.now, self.sent = galloper, home, MONDAY, 0
        self.killed = self.after = self.done = 0
        subprocess.run([galloper, "--now", "@%d" % MONDAY, "init", home], check=True, stdout=subprocess.DEVNULL)
        self.must("game", "new", "g1", "--battle", "falkirk", "--english", "ann@a.example", "--jacobite",
                  "ben@b.example", "--referee", REFEREE, "--review", "--set", "turn-limit=0")
        self.must("resolve", "g1")
        begun = time.monotonic()
        self.must("tick")
        self.longest = 1.1 * (time.monotonic() - begun)

    def command(self, *words):
        return [self.program, "-c", self.home + "/galloper.conf", "--now", "@%d" % self.now, *words]

    def must(self, *words):
        return subprocess.run(self.command(*words), check=True, stdout=subprocess.PIPE, text=True).stdout

    def outbox(self):
        """What lies in the Maildirs, by address."""
        root = self.home + "/mail/out"
        for who in os.listdir(root):
            for name in os.listdir("%s/%s/new" % (root, who)):
                with open("%s/%s/new/%s" % (root, who, name), "rb") as f:
                    yield who, email.message_from_binary_file(f)

    def deliver(self, text):
        """The referee answers the last mail that he has got about a turn."""
        got = max((m for who, m in self.outbox() if who == REFEREE and m["Reply-To"]),
                  key=lambda m: email.utils.parsedate_to_datetime(m["Date"]))
        self.sent += 1
        new = self.home + "/mail/in/new"
        for part in ("new", "cur", "tmp"):
            os.makedirs(self.home + "/mail/in/" + part, exist_ok=True)
        path = "%s/%06d.test" % (self.home + "/mail/in/tmp", self.sent)
        with open(path, "w", encoding="utf-8") as f:
            f.write("From: %s\nTo: %s\nSubject: Re: %s\nMessage-ID: <%d@school.example>\nIn-Reply-To: %s\n\n%s\n" % (
                REFEREE, got["Reply-To"], " ".join(got["Subject"].split()), self.sent, got["Message-ID"], text))
        os.utime(path, (self.now, self.now))
        os.rename(path, new + "/%06d.test" % self.sent)

    def look(self):
        with sqlite3.connect(self.home + "/galloper.db") as db:
            def one(sql):
                return db.execute(sql).fetchone()
            done, = one("SELECT count(*) FROM mail WHERE state = 'done'")
            held, last = one("SELECT held, (SELECT max(id) FROM turn WHERE line = game.line AND turn = game.turn - 1) "
                             "FROM game")
            told = {row[0] for row in db.execute("SELECT turn FROM released")}
            reports = dict(db.execute("SELECT shows, count(*) FROM outbox WHERE kind = 'report' GROUP BY shows"))
            assert all(reports.get(row) == 3 for row in told), "a released turn without three reports"
            assert set(reports) <= told, "reports of a turn that was not released"
            assert last is None or (last in told) != bool(held), "held %d, told %s" % (held, last in told)
            return (done,) + one(
                "SELECT line, turn, held, (SELECT count(*) FROM turn), (SELECT count(*) FROM released), (SELECT count(*) "
                "FROM act), (SELECT count(*) FROM outbox), (SELECT count(*) FROM line) FROM game")

    def tick(self, most):
        """One pass, killed at a random moment if it takes longer; was it?"""
        child = subprocess.Popen(self.command("tick"), stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            child.wait(random.uniform(0, most))
            return False
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.wait()
            return True

    def act(self, text, kills):
        """The mail is read while passes are killed, and then by one that may end."""
        self.now += 600  # the answers an address gets in an hour are bounded
        before = self.look()
        self.deliver(text)
        states = [before]
        for _ in range(kills):
            killed = self.tick(self.longest)
            states.append(self.look())
            self.killed += killed
            self.after += killed and states[-1] != before
        self.must("tick")
        states.append(self.look())
        for then, now in zip(states, states[1:]):
            assert now == then or (then == before and now[0] == before[0] + 1), (text, then, now)
        assert states[-1][0] == before[0] + 1, (text, "not carried out", states)
        self.done += 1

    def check_delivered(self):
        """Each mail of the outbox has come. Who is killed between handing one over and writing that down hands it over
        again: how many came twice, byte for byte, no more than were in doubt."""
        with sqlite3.connect(self.home + "/galloper.db") as db:
            ours = {row[0] for row in db.execute("SELECT message_id FROM outbox")}
            states = {row[0] for row in db.execute("SELECT state FROM outbox")}
            doubts, = db.execute("SELECT sum(doubts) FROM outbox").fetchone()
        there, twice = {}, 0
        for _, m in self.outbox():
            twice += m["Message-ID"] in there
            assert there.setdefault(m["Message-ID"], m.as_bytes()) == m.as_bytes(), "two mails of one Message-ID"
        assert states == {"sent"} and set(there) == ours, "not the mails of the outbox"
        assert twice <= doubts, "%d mails came twice, %d were in doubt" % (twice, doubts)
        return twice


def main(galloper, home, kills):
    desk = Desk(galloper, home)
    at = turn = 0
    while desk.killed < kills:
        text = ROUND[at % len(ROUND)]
        if at % len(ROUND) == 0:
            turn += 1
        desk.act(text % turn if "%" in text else text, random.choice([1, 2, 3]))
        at += 1
    desk.must("tick")
    twice = desk.check_delivered()
    said = subprocess.run(desk.command("verify", "g1"), stdout=subprocess.PIPE, text=True).stdout
    assert "to the same" in said, said  # "its one turn replays to the same"
    return "%d passes killed, %d of them after the deed, over %d mails of the referee: none by halves, %d mails came twice" % (
        desk.killed, desk.after, desk.done, twice)
