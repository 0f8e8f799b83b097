"""A game folder for the tests of a hostile world: its mail goes through Maildirs unless a test says otherwise, its clock
stands where the test puts it, and each pass is measured."""
import concurrent.futures, contextlib, email, email.policy, glob, os, re, signal, socket, sqlite3, subprocess, sys, time, traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE + "/../e2e")
import school

MONDAY = 1793008800  # 2026-10-26T10:00:00Z; the first deadline, made to be weeks away, never comes near
HOUR, DAY = 3600, 86400
BAD = []


def attempt(name, work):
    """What it gives; None when it failed, which finish() does not forget."""
    try:
        return work()
    except Exception as e:
        BAD.append(name)
        where = traceback.extract_tb(e.__traceback__)[-1]
        print("FAILED %s: %s:%d: %s" % (name, os.path.basename(where.filename), where.lineno, str(e)[:1200]), flush=True)
        return None


def confined():
    """May this user have a name space of his own, in which he may mount?"""
    return subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode == 0


def finish():
    sys.exit(1 if BAD else 0)


def row(name, outcome, **figures):
    """A line of the table that the suite prints."""
    figures = "  ".join("%s %s" % (key, "%.2f" % value if isinstance(value, float) else value) for key, value in figures.items())
    print("  %-34s %s%s" % (name, outcome, figures and "  [" + figures + "]"), flush=True)


@contextlib.contextmanager
def odd_servers(script, modes, **environment):
    """A server a mode while it is entered; gives {mode: port}."""
    held = []
    for mode in modes:
        s = socket.socket()
        s.bind(("127.0.0.1", 0))
        held.append((mode, s.getsockname()[1], s))
    child = subprocess.Popen(["/usr/bin/python3", HERE + "/" + script, school.BOX, *("%s:%d" % h[:2] for h in held)],
                             env={**os.environ, **environment})
    for _, _, s in held:
        s.close()
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", held[-1][1])).close()
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise AssertionError("the servers do not start")
        yield {mode: port for mode, port, _ in held}
    finally:
        child.terminate()
        child.wait()


def against(modes, first_part, second_part, at_once):
    """The first part with each mode's server, so many at once; then, when all are mended, the second with what it gave."""
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        tasks = {mode: pool.submit(first_part, mode) for mode in modes}
        first = {mode: found for mode, task in tasks.items() if (found := attempt(mode, task.result))}
    with open(school.BOX + "/mended", "w"):
        pass
    for mode in first:
        attempt(mode, lambda: second_part(mode, *first[mode]))
    os.unlink(school.BOX + "/mended")


def connections(mode):
    with open(school.BOX + "/odd.log") as f:
        return f.read().split().count(mode)


class Home(school.School):
    def __init__(self, name, game=True, **settings):
        self.name, self.folder, self.said = name, os.path.join(os.environ["SCRATCH"], name), ""
        self.daemon, self.conf, self.mails_put = None, self.folder + "/galloper.conf", 0
        self.cpu, self.longest, self.prefix = 0.0, 0.0, []
        self.run("-c", self.conf, "--now", "@%d" % MONDAY, "init", self.folder)
        self.settings = {"address": "galloper@game.test", "operator": "op@school.test", "ca-file": os.environ["MAIL_CA"],
                         "poll-seconds": 1, "network-seconds": 2, "answers-per-hour": 50, "forget-after": 180}
        self.configure(**settings)
        if game:
            self.make_game(name)

    def copy(self, name):
        """The same game in another folder, so that the same mails are for both."""
        other = Home.__new__(Home)
        other.__dict__.update(self.__dict__, name=name, folder=self.folder + "-" + name, settings={}, cpu=0.0, longest=0.0,
                              said="", conf=self.folder + "-" + name + "/galloper.conf")
        subprocess.run(["cp", "-R", self.folder, other.folder], check=True)
        return other

    def make_game(self, game):
        self.at(0, "game", "new", game, "--battle", "falkirk", "--english", "ann@school.test", "--jacobite", "ben@school.test",
                "--referee", "head@school.test", "--every", "Fri 16:00", "--skip", "2026-10-26..2026-12-06")

    def run(self, *words, expect=0, program="GALLOPER"):
        """As School.run, and measured: the child's and its children's processor seconds, and the clock's."""
        began = time.monotonic()
        child = subprocess.Popen([*self.prefix, os.environ[program], *words], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = child.stdout.read().decode(errors="replace")
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = code = os.waitstatus_to_exitcode(status)
        self.said += said
        self.code, self.peak = code, used.ru_maxrss  # KB
        self.cpu += used.ru_utime + used.ru_stime
        self.longest = max(self.longest, time.monotonic() - began)
        wanted = expect if isinstance(expect, tuple) else (expect,)
        assert code in wanted, "%s: %s: exit %d, not %s:\n%s" % (self.name, words, code, expect, said)
        return said

    def at(self, seconds, *words, expect=0):
        return self.run("-c", self.conf, "--now", "@%d" % (MONDAY + seconds), *words, expect=expect)

    def tick(self, seconds, expect=0):
        return self.at(seconds, "tick", expect=expect)

    def query(self, sql, *values):
        db = sqlite3.connect("file:%s?mode=ro" % (self.folder + "/galloper.db"), uri=True)
        try:
            return db.execute(sql, values).fetchall()
        finally:
            db.close()

    def one(self, sql, *values):
        [[value]] = self.query(sql, *values)
        return value

    def key(self, role, game=None):
        """As the welcome mail to such a player told him."""
        rows = self.query("SELECT b.bytes FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id JOIN player p ON p.id = o.player "
                          "JOIN game g ON g.id = p.game WHERE p.role = ? AND o.kind = 'welcome' AND g.name LIKE ?", role, game or "%")
        return re.search(rb"KEY (\S+)\r", rows[0][0]).group(1).decode()

    def put(self, raw, seconds, name=None):
        """Lays a mail into the Maildir as if it had arrived then."""
        self.mails_put += 1
        path = "%s/mail/in/new/%s" % (self.folder, name or "%d.host" % self.mails_put)
        with open(path + ".part", "wb") as f:
            f.write(raw if isinstance(raw, bytes) else raw.encode())
        os.utime(path + ".part", (MONDAY + seconds,) * 2)
        os.rename(path + ".part", path)

    def sent(self, who=None, kind=None):
        """Mails in the outgoing Maildirs, parsed, in order."""
        found = []
        for path in sorted(glob.glob("%s/mail/out/%s/new/*" % (self.folder, who or "*"))):
            with open(path, "rb") as f:
                m = email.message_from_bytes(f.read(), policy=email.policy.default)
            if kind is None or m["X-Galloper-Mail"] == kind:
                found.append(m)
        return found

    def whole(self):
        """What holds whatever was done to it."""
        assert self.query("PRAGMA integrity_check") == [("ok",)], "the database is damaged"
        assert self.query("PRAGMA foreign_key_check") == []

    def run_daemon(self, seconds, started=MONDAY, wait=None, fails=False, patience=12):
        """Runs a daemon for so long; gives its log, and the processor seconds of it and its reader."""
        log = open(self.folder + "/daemon.log", "w+b")
        child = subprocess.Popen([*self.prefix, os.environ["GALLOPERD"], "-c", self.conf, "--now", "@%d" % started, "daemon"],
                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            if wait:
                wait()
            else:
                time.sleep(seconds)
        finally:
            os.kill(child.pid, signal.SIGTERM)  # not reaped yet, even if it has ended
            began = time.monotonic()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read().decode(errors="replace")
        log.close()
        self.said += text
        assert child.returncode == (3 if fails else 0), "%s: the daemon ended with %d:\n%s" % (self.name, child.returncode, text)
        assert time.monotonic() - began < patience, "%s: SIGTERM was not heeded" % self.name
        return text, used.ru_utime + used.ru_stime
