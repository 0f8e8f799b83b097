#!/usr/bin/python3
"""One pass that does all a pass can do (mails fetched, read in a group, filed; a turn; receipts, reports and answers sent),
cut at every single step in turn: each system call that writes, and so each commit. Then as many passes in which that call
fails instead, as on a full or failing disk, in which the power goes there, or in which the daemon is told to stop. Whatever
was cut, the passes after it must come to the very same end as the one that nobody cut: every row, and every mail to the
byte. Names as arguments: only these faults ("full disk")."""
import collections, glob, os, re, shutil, signal, sqlite3, subprocess, sys, time
from contextlib import closing

GALLOPER, GALLOPERD, SCRATCH = os.environ["GALLOPER"], os.environ["GALLOPERD"], os.environ["SCRATCH"]
MOST = int(os.environ["STEPS"])  # trials of each fault, spread evenly; 0 = every step
MONDAY = 1799658000  # 2027-01-11T09:00:00Z
FRIDAY = MONDAY + 4 * 86400 + 7 * 3600  # the first deadline
HOUR = 3600
PEOPLE = {"E": "ann@a.example", "J": "ben@b.example", "referee": "head@a.example"}
MAILS = (  # who, what, seconds before the deadline
    ("E", "Barrell's: advance 2", 5000), ("J", "Camerons: advance 2\nSAY ALL: hello", 4000), ("E", "Wolfe's: advance 1", 3000),
    ("stranger", "What is this?", 2500), ("referee", "SHOW", 2000), ("J", "Camerons: advance 1", -10))
WRITING = "write,pwrite64,sendto,sendmsg,rename,link,unlink,ftruncate,fsync,fdatasync,mkdir,openat".split(",")
ALL_SENT = 12  # three welcomes, four receipts, two answers, three reports
FAULTS = {  # name: what is done to a call of whom, and which calls; what he may end with
    "killed": ("signal=SIGKILL", "tick", WRITING, (-9, 0)),  # 0: fewer pages were written than the first time
    "power lost": ("signal=SIGKILL", "tick", ["rename"], (-9,)),  # see lose_unsynced
    "stopped": ("signal=SIGTERM", "daemon", WRITING, (0,)),
    "full disk": ("error=ENOSPC", "tick", ["pwrite64", "write", "ftruncate", "mkdir", "openat", "rename", "link"], (0, 3)),
    "failing disk": ("error=EIO", "tick", ["pread64", "pwrite64", "fsync", "fdatasync", "unlink", "rename"], (0, 3, 127)),
    "no descriptor": ("error=EMFILE", "tick", ["openat", "pipe2", "socketpair"], (0, 3, -6, 127)),
    "no memory": ("error=ENOMEM", "tick", ["mmap", "brk", "clone3"], (0, 3, -6, -7, -11, 127)),
}  # 127: it could not even be loaded; by a signal it may end if it says that nothing is lost
READING = ("failing disk", "no descriptor", "no memory")  # calls count that write nothing
# Whose calls count. (With --seccomp-bpf strace would send no signal.)
STRACE = {"main": ["strace", "-qq"], "thread": ["strace", "-qq", "-f", "-b", "execve"], "reader": ["strace", "-qq", "-f"]}


def galloper(home, now, *words):
    return subprocess.run([GALLOPER, "-c", home + "/galloper.conf", "--now", "@%d" % now, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def traced(home, work, whose, *how):
    """A pass, or a daemon, which is told to stop when it has done all there is to do. What it ended with, and said."""
    command = [GALLOPERD, "-c", home + "/galloper.conf", "--now", "@%d" % (FRIDAY + HOUR), work]
    child = subprocess.Popen([*STRACE[whose], *how, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace")
    end = time.monotonic() + 60
    while work == "daemon" and child.poll() is None and not idle(home):
        assert time.monotonic() < end, "a daemon that is never done"
        time.sleep(0.02)
    if work == "daemon" and child.poll() is None:
        with open("/proc/%d/task/%d/children" % (child.pid, child.pid), encoding="ascii") as f:
            for daemon in f.read().split():  # none, if it has just ended
                os.kill(int(daemon), signal.SIGTERM)
    said = child.communicate(timeout=60)[0]
    return child.returncode, said


def idle(home):
    with closing(sqlite3.connect(home + "/galloper.db")) as db:
        (done,), (sent,) = db.execute("SELECT count(*) FROM mail WHERE state <> 'fetched' AND folder = '' UNION ALL "
                                      "SELECT count(*) FROM outbox WHERE state = 'sent'")
    return done == len(MAILS) and sent == ALL_SENT


def set_up(home):
    for now, words in ((MONDAY, ["init", home]), (MONDAY, ["game", "new", "g1", "--battle", "falkirk", "--english", PEOPLE["E"],
                       "--jacobite", PEOPLE["J"], "--referee", PEOPLE["referee"]]), (MONDAY, ["tick"])):
        done = galloper(home, now, *words)
        assert done.returncode == 0, done.stdout
    with closing(sqlite3.connect(home + "/galloper.db")) as db:
        keys = dict(db.execute("SELECT role, key FROM player JOIN address ON player = player.id"))
    for number, (who, text, before) in enumerate(MAILS):
        path = "%s/mail/in/new/%d.host" % (home, number)
        with open(path, "w", encoding="ascii") as f:
            f.write("From: %s\nTo: galloper@localhost\nMessage-ID: <%d@a.example>\nSubject: orders\n\n" % (
                PEOPLE.get(who, "odd@x.example"), number))
            f.write("GAME g1\nKEY %s\n\n%s\n" % (keys[who], text) if who in keys else text + "\n")
        os.utime(path, (FRIDAY - before,) * 2)


def fresh(base, home):
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(base, home)  # with the times of the mails
    path = home + "/galloper.conf"
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(base, home))


def plain(value):
    """Without what chance puts into a mail, nor the hour at which it was written."""
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if not isinstance(value, str):
        return value
    value = re.sub(r"(?m)^Date: .*$", "Date:", value)
    return re.sub(r"\.[0-9a-f]{16}@|(?<==_a_)[0-9a-f]{24}", "#", value)


def outcome(home):
    """All that counts of a school: its rows, and the mails that went out. A mail may have gone out twice, the same."""
    with closing(sqlite3.connect(home + "/galloper.db")) as db:
        found = {sql: [tuple(map(plain, row)) for row in db.execute(sql)] for sql in (
            "SELECT uid, arrived, digest, state, folder, game, player FROM mail ORDER BY id",
            "SELECT line, turn, player, mail, number, arrived, unread, plain, canonical, typed FROM sheet ORDER BY id",
            "SELECT game, line, turn, resolution, why, before, orders, events, after, digest FROM turn ORDER BY id",
            "SELECT game, player, recipient, kind, outbox.turn, shows, state, bytes, printed FROM outbox JOIN outbox_bytes "
            "ON outbox = id WHERE kind <> 'notice' ORDER BY id",
            "SELECT game, actor, what, reason, digest_after FROM act ORDER BY id",
            "SELECT address, kind, sum(count) FROM answered WHERE address <> 'operator' GROUP BY address, kind",
            "SELECT turn, deadline, status, held, revision FROM game", "SELECT turn FROM released", "SELECT text FROM news",
            "SELECT number, player, audience, body, state FROM message", "PRAGMA integrity_check", "PRAGMA foreign_key_check")}
    sent = {}
    for path in glob.glob(home + "/mail/out/*/new/*"):
        with open(path, "rb") as f:
            mail = f.read().decode("latin-1")
        if "\nX-Galloper-Mail: notice" in mail:  # the operator may hear of the fault
            continue
        message_id = re.search(r"(?m)^Message-ID: (\S+)", mail).group(1)
        assert sent.setdefault(message_id, mail) == mail, "two mails with one Message-ID"
    found["sent"] = sorted(map(plain, sent.values()))
    found["left"] = os.listdir(home + "/mail/in/new")
    found["filed"] = {folder: len(os.listdir(folder)) for folder in glob.glob(home + "/mail/in/.*/cur")}
    found["filed"] = sorted(found["filed"].values())
    return found


def steps_of(log, calls, only_writing):
    """{(whose, call, the how-manieth of his): what it was}. strace counts for each thread by itself."""
    lines = re.findall(r"(?m)^(\d+) +(\w+)\((.*)", log)
    main, counts, found = lines[0][0], collections.Counter(), {}
    readers = {thread for thread, call, _ in lines if call == "execve" and thread != main}
    for thread, call, rest in lines:
        if call in calls:
            counts[thread, call] += 1
            whose = "main" if thread == main else "reader" if thread in readers else "thread"
            reads = " = -1 " in rest or (call == "openat" and "O_CREAT" not in rest)
            if not (only_writing and reads):
                found.setdefault((whose, call, counts[thread, call]), rest[:80])
    return found


def spread(steps):
    if MOST == 0 or len(steps) <= MOST:
        return steps
    return [steps[len(steps) * i // MOST] for i in range(MOST)]


def difference(found, wanted):
    """From where they part."""
    found, wanted = ([*map(repr, found), ""], [*map(repr, wanted), ""])
    row, pair = next((n, pair) for n, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1])
    at = len(os.path.commonprefix(pair))
    return "row %d of %d\nfound  %.300s\nwanted %.300s" % (row + 1, len(wanted) - 1, *(text[max(0, at - 100):] for text in pair))


def lose_unsynced(home, log):
    """Takes back what stands in the database's log and was not waited for: the machine failed too. What was renamed, so filed
    or sent, stays: that is the worst case."""
    unsynced, lost = [], 0
    for call, offset, size in re.findall(r"(?m)^(?:\d+ +)?(\w+)\(\d+<[^>]*/galloper\.db-wal>(?:.*, (\d+)\) += (\d+)$)?", log):
        unsynced = [] if call == "fdatasync" else unsynced + [(int(offset), int(size))] if call == "pwrite64" and size else unsynced
    with open(home + "/galloper.db-wal", "r+b") as wal:
        for offset, size in unsynced:
            wal.seek(offset)
            wal.write(bytes(size))
            lost += size
    os.unlink(home + "/galloper.db-shm")
    return lost


def trial(base, expected, fault, step, ended):
    home, (what, work, _, allowed), (whose, call, number) = SCRATCH + "/cut", FAULTS[fault], step
    fresh(base, home)
    log = SCRATCH + "/cut.log"
    code, said = traced(home, work, whose, "-y", "-o", log, "-e", "trace=%s,execve,pwrite64,fdatasync,rt_sigaction" % call, "-e",
                        "inject=%s:%s:when=%d" % (call, what, number))
    ended[code] += 1
    with open(log, encoding="utf-8", errors="replace") as f:
        calls = f.read()
    if fault == "power lost":
        ended["bytes lost"] += lose_unsynced(home, calls)
    assert code in allowed, "exit %d\n%s" % (code, said)
    if code < 0 and what.startswith("error") and "rt_sigaction(SIGSEGV" in calls:  # main has begun
        assert "Nothing that was taken in is lost" in said, said
    for hours in 1, 2, 3:  # what was put off for the fault has come by then
        done = galloper(home, FRIDAY + hours * HOUR, "tick")
        assert done.returncode == 0, "the pass after it: exit %d\n%s" % (done.returncode, done.stdout)
    found = outcome(home)
    if "rejected after 3 tries" in said:  # each new reader met the fault at the same mail, as if that were to blame
        ended["set aside"] += 1
        assert not found["left"] and sum(found["filed"]) == sum(expected["filed"]), found["filed"]
        return
    for part, wanted in expected.items():
        assert found[part] == wanted, "%s: %s\nit said: %s" % (part, difference(found[part], wanted), said)


def run_whole(base, work, calls):
    """Nobody cuts it: what it comes to, and the log of its calls."""
    home, log = SCRATCH + "/whole", SCRATCH + "/log"
    fresh(base, home)
    code, said = traced(home, work, "reader", "-o", log, "-e", "trace=execve," + ",".join(calls))
    if code != 0 and "ptrace" in said.lower():
        print("steps: SKIPPED, since this user may not trace a program")
        sys.exit(0)
    assert code == 0 and idle(home), "exit %d\n%s" % (code, said)
    with open(log, encoding="utf-8", errors="replace") as f:
        return outcome(home), f.read()


def main():
    base, bad = SCRATCH + "/base", 0
    set_up(base)
    for fault in sys.argv[1:] or FAULTS:
        _, work, calls, _ = FAULTS[fault]
        begun, ended = time.monotonic(), collections.Counter()
        expected, log = run_whole(base, work, calls)
        steps = steps_of(log, calls, fault not in READING)
        tried = spread(sorted(steps))
        for step in tried:
            try:
                trial(base, expected, fault, step, ended)
            except Exception as wrong:
                bad += 1
                print("FAILED %s at %s %s %d (%s): %s" % (fault, *step, steps[step], wrong), flush=True)
        print("%s at %d of %d steps: ended with %s; %d s" % (fault, len(tried), len(steps), ", ".join(
            "%s: %d" % item for item in sorted(ended.items(), key=str)), time.monotonic() - begun), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
