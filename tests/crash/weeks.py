#!/usr/bin/python3
"""See run. Afterwards every order mail must have counted once, every receipt and report have come; a mail that came twice did
so with the same Message-ID and the same bytes; and the turns replay to the same digests."""
import collections, glob, os, random, re, signal, sqlite3, subprocess, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from school import School, text_of  # noqa: E402

MONDAY = 1772442000  # 2026-03-02T09:00:00Z; Dovecot puts no mail into the future
DAY, SLOW = 86400, 4 if os.environ.get("MODE") == "asan" else 1
STEPS = [0.1, 1, 2, 4.1, 4.4]  # days after each Monday, the deadline (4.29) before the last
SIDES = {"english": "Barrell's: hold", "jacobite": "Camerons: hold"}
READER_DEATHS = 2  # a step: each is a failed try of a mail, of which it has three


def at(when):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))


class Week:
    """A school whose programs are killed. `longest` is how many seconds one is let work."""

    def __init__(self, name, kills, longest, **settings):
        self.s = School(name, answers_per_hour=1000, log_level="quiet", **settings)
        self.kills, self.longest, self.killed, self.mails = kills, longest * SLOW, 0, 0
        self.weeks = 2 if kills < 100 else 5
        self.s.new_game(now=at(MONDAY))
        self.s.tick(now=at(MONDAY))
        self.keys = {who: self.key(who) for who in SIDES}

    def play(self):
        for number in range(self.weeks * len(STEPS)):
            now = MONDAY + 7 * DAY * (number // len(STEPS)) + int(STEPS[number % len(STEPS)] * DAY)
            late = number % len(STEPS) == len(STEPS) - 1
            if not late:
                self.put_mails(now - 600)
            self.kill_passes(now, self.kills // (self.weeks * len(STEPS)) + 1)
            if late:  # a week without any whole pass would be another game: turns are not made up for
                self.s.tick(now=at(now + 60))
        for _ in range(4):  # what a dead one had in hand; what is filed; what was moved
            now += 3600
            self.s.tick(now=at(now))
        self.check()

    def put_mails(self, when):
        for who in list(SIDES) * 2:
            self.put_mail(who, when)

    def put_mail(self, who, when):
        self.put(who, "GAME %s\nKEY %s\n\n%s\n" % (self.s.name, self.keys[who], SIDES[who]), when)
        self.mails += 1

    def kill_passes(self, now, count):
        deaths, goal = 0, self.killed + count
        while self.killed < goal:
            if random.random() < 0.5:  # so that there is something to be cut
                self.put_mail(random.choice(list(SIDES)), now - 600)
            kind = random.choice(("tick", "tick", "daemon"))
            child = subprocess.Popen([os.environ["GALLOPERD"], "-c", self.s.conf, "--now", at(now), kind],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                child.wait(random.uniform(0.005, self.longest))
            except subprocess.TimeoutExpired:
                if deaths < READER_DEATHS and random.random() < 0.2:
                    deaths += self.kill_reader(child.pid)
                    time.sleep(random.uniform(0, self.longest / 4))
                if random.random() < 0.2:  # as systemd stops a service that takes too long
                    child.terminate()
                    time.sleep(random.uniform(0, self.longest / 4))
                child.kill()
                child.wait()
                self.killed += 1

    def kill_reader(self, parent):
        try:
            with open("/proc/%d/task/%d/children" % (parent, parent)) as f:
                reader = int(f.read().split()[0])
            os.kill(reader, signal.SIGKILL)
            return 1
        except (OSError, IndexError):
            return 0

    def query(self, sql):
        with sqlite3.connect(self.s.folder + "/galloper.db") as db:
            return db.execute(sql).fetchall()

    def check(self):
        sent = {"receipt": self.mails, "report": 3 * self.weeks, "welcome": 3}
        found = {
            "mails": self.query("SELECT state, folder, count(*) FROM mail GROUP BY 1, 2"),
            "sheets": self.query("SELECT count(*), count(DISTINCT mail) FROM sheet"),
            "out": dict((kind, n) for kind, state, n in self.query(
                "SELECT kind, state, count(*) FROM outbox GROUP BY 1, 2")
                        if state == "sent" and kind not in ("reminder", "notice")),  # see late_notices
            "not sent": self.query("SELECT kind, state, doubts, why FROM outbox WHERE state <> 'sent'"),
            "turns": self.query("SELECT count(*), count(DISTINCT turn) FROM turn"),
            "sound": self.query("PRAGMA integrity_check") + self.query("PRAGMA foreign_key_check"),
            "left": self.left(),
        }
        expected = {
            "mails": [("done", "", self.mails)], "sheets": [(self.mails, self.mails)], "out": sent, "not sent": [],
            "turns": [(self.weeks, self.weeks)], "sound": [("ok",)], "left": 0,
        }
        assert found == expected, "\nfound    %s\nexpected %s" % (found, expected)
        self.late_notices()
        copies, total = {}, 0
        for message_id, content in self.delivered():
            total += 1
            assert copies.setdefault(message_id, content) == content, "a mail came again with another content"
        ids = {row[0] for row in self.query("SELECT message_id FROM outbox")}
        assert set(copies) == ids, "%d mails arrived, %d were sent" % (len(copies), len(ids))
        (doubts,) = self.query("SELECT sum(doubts) FROM outbox")[0]
        assert total - len(ids) <= doubts, "%d mails came twice, %d were in doubt" % (total - len(ids), doubts)
        self.s.galloper("verify", self.s.name)
        print("%s: %d kills over %d weeks, %d mails; %d came twice, byte for byte" % (
            self.s.name, self.killed, self.weeks, self.mails, total - len(ids)), flush=True)


    def late_notices(self):
        """Whoever's orders have not been read yet when the hour comes gets a reminder, and the referee then hears, once,
        who is late. Nothing else may be a notice."""
        reminded, noticed = ({when for (when,) in self.query("SELECT made FROM outbox WHERE kind = '%s'" % kind)}
                             for kind in ("reminder", "notice"))
        texts = {message_id: text for message_id, text in self.delivered() if "\nNO ORDERS YET FOR TURN " in text}
        notices = {row[0] for row in self.query("SELECT message_id FROM outbox WHERE kind = 'notice'")}
        assert len(noticed) <= len(reminded), "notices at %s, reminders at %s" % (noticed, reminded)
        assert len(notices) == len(noticed), "%d notices at %s" % (len(notices), noticed)
        assert notices == set(texts), "notices %s, of which %s tell who is late" % (notices, set(texts))


class MaildirWeek(Week):
    def __init__(self, kills):
        super().__init__("maildirs", kills, 0.08, incoming="maildir", outgoing="maildir")

    def sent(self):
        for path in glob.glob(self.s.folder + "/mail/out/*/new/*"):
            with open(path, encoding="utf-8") as f:
                yield f.read()

    def key(self, who):
        [path] = glob.glob("%s/mail/out/%s/new/*" % (self.s.folder, self.s.address(who)))
        with open(path, encoding="utf-8") as f:
            return re.search(r"(?m)^\s+KEY (\S+)", f.read()).group(1)

    def put(self, who, text, when):
        name = "%s/mail/in/new/%d.%d.host" % (self.s.folder, when, self.mails)
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as f:
            f.write(self.s.write(who, text).as_bytes())
        os.utime(name, (when, when))

    def left(self):
        return len(os.listdir(self.s.folder + "/mail/in/new"))

    def delivered(self):
        for mail in self.sent():
            yield re.search(r"(?im)^Message-ID:\s*(\S+)", mail).group(1), mail


class TogetherWeek(MaildirWeek):
    """Nobody is killed. Two daemons and two of cron's passes work at once, and not even the leases part them: these are
    taken from them every few milliseconds, as happens to a program that the machine has stopped for too long."""
    def __init__(self):
        Week.__init__(self, "together", 0, 0, incoming="maildir", outgoing="maildir")
        self.taken = 0

    def put_mails(self, when):
        for _ in range(5):
            super().put_mails(when)

    def kill_passes(self, now, count):
        command = [os.environ["GALLOPERD"], "-c", self.s.conf, "--now", at(now)]
        children = [subprocess.Popen(command + [kind], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    for kind in ("daemon", "daemon", "tick", "tick")]
        end = time.monotonic() + 60 * SLOW
        with sqlite3.connect(self.s.folder + "/galloper.db", timeout=20, isolation_level=None) as db:
            while any(tick.poll() is None for tick in children[2:]) or self.left():
                assert time.monotonic() < end, "%d mails are left" % self.left()
                self.taken += db.execute("DELETE FROM lease").rowcount
                time.sleep(0.003)
        for daemon in children[:2]:
            daemon.terminate()
        for child in children:
            said = child.communicate(timeout=20)[0]
            assert child.returncode == 0, "exit %d: %s" % (child.returncode, said)

    def check(self):
        super().check()
        assert self.taken >= 10 and self.query("SELECT sum(doubts) FROM outbox") == [(0,)], self.taken
        print("%d leases were taken from them" % self.taken, flush=True)


class RealWeek(Week):
    def __init__(self, kills, name="servers"):
        super().__init__(name, kills, 0.4)

    def key(self, who):
        return self.s.key(who)

    def put(self, who, text, when):
        self.s.put(self.s.write(who, text), time.strftime("%d-%b-%Y %H:%M:%S +0000", time.gmtime(when)))

    def left(self):
        return len(self.s.mails("game"))

    def delivered(self):
        for who in "english", "jacobite", "referee":
            for mail in self.s.mails(who):
                yield mail["Message-ID"], text_of(mail)


class WordsWeek(RealWeek):
    """Each pass is killed before it says another word to a server: the first, the second, and so on; `most` of them, or all."""
    def __init__(self, most):
        super().__init__(0, "words")
        self.most, self.weeks = most, 1

    def traced(self, now, *how):
        done = subprocess.run(["strace", "-qq", *how, os.environ["GALLOPERD"], "-c", self.s.conf, "--now", at(now), "tick"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stderr

    def words(self, now):
        """{(how strace follows him, call): so many}, of the main thread and of any other, in a pass that is not killed."""
        log = self.s.folder + "/trace"
        code, said = self.traced(now, "-f", "-o", log, "-e", "trace=sendto,sendmsg,execve")
        assert code == 0, said
        with open(log, encoding="utf-8", errors="replace") as f:
            lines = re.findall(r"(?m)^(\d+) +(\w+)\(", f.read())
        counts = collections.Counter(lines)
        main, readers = lines[0][0], {thread for thread, call in lines[1:] if call == "execve"}
        found = {}
        for (thread, call), count in counts.items():
            if call != "execve" and thread not in readers:
                how = ("-qq",) if thread == main else ("-f", "-b", "execve")
                found[how, call] = max(count, found.get((how, call), 0))
        return found

    def play(self):
        now = MONDAY + 3600
        self.put_mails(now - 600)
        moments = [(how, call, n + 1) for (how, call), count in self.words(now).items() for n in range(count)]
        for how, call, number in moments[::max(1, len(moments) // self.most)] if self.most else moments:
            now += 60
            self.put_mails(now - 600)
            code, said = self.traced(now, *how, "-o", "/dev/null", "-e", "trace=%s,execve" % call, "-e",
                                     "inject=%s:signal=SIGKILL:when=%d" % (call, number))
            assert code in (0, -signal.SIGKILL), "exit %d: %s" % (code, said)
            self.killed += code != 0
            self.s.tick(now=at(now))
        for when in now + 3600, MONDAY + int(STEPS[-1] * DAY), MONDAY + 5 * DAY:
            self.s.tick(now=at(when))
        self.check()
        print("%d of %d words were never said" % (self.killed, len(moments)), flush=True)


random.seed(int(os.environ["SEED"]))
TogetherWeek().play()
MaildirWeek(int(os.environ["KILLS"])).play()
RealWeek(int(os.environ["REAL_KILLS"])).play()
if SLOW > 1 or subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL).returncode != 0:
    print("words: SKIPPED, under sanitizers and where a program may not be traced")
else:
    WordsWeek(int(os.environ["STEPS"])).play()
