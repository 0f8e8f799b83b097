#!/usr/bin/python3
"""A machine that fails us: each time a mail with orders lies in the mailbox. The pass must say in plain words what is wrong,
and exit with 3, or go on; nothing may be lost; and when the fault is gone the next pass must take everything up by itself,
counting the orders once and answering them once. (A full disk: ../disk/run and ../e2e/disk.py.)"""
import os, shutil, sqlite3, threading, time
from home import DAY, HOUR, MONDAY, Home, attempt, confined, finish, row
from school import until

ALL = os.environ.get("HOSTILE") == "all"
ASAN = os.environ.get("MODE") == "asan"


def orders(home, seconds, text="Barrell's: advance 2", game=None, role="E", who="ann@school.test"):
    home.put("From: %s\nTo: galloper@game.test\nSubject: orders\nMessage-ID: <%s-%d@school.test>\n\nGAME %s\nKEY %s\n\n%s\n" % (
        who, home.name, home.mails_put, game or home.name, home.key(role, game or home.name), text), seconds)


def fresh(name, **settings):
    home = Home(name, **settings)
    home.tick(60)
    orders(home, HOUR)
    return home


def well_again(home, seconds, sheets=1):
    home.prefix = []
    said = home.tick(seconds)
    home.tick(seconds + 60)
    home.whole()
    count = home.one("SELECT count(*) FROM sheet")
    assert count == sheets, "%d sheets, not %d" % (count, sheets)
    receipts = home.sent("ann@school.test", "receipt")
    assert len(receipts) == sheets, "%d receipts" % len(receipts)
    assert home.one("SELECT count(*) FROM outbox WHERE state <> 'sent'") == 0
    assert not os.listdir(home.folder + "/mail/in/new")
    return said


def says(said, *words):
    for word in words:
        assert word in said, "%r was not said:\n%s" % (word, said)


def read_only_disk():
    if not confined():
        return row("read-only file system", "SKIPPED: this user may not mount")
    home = fresh("readonly")
    home.prefix = ["unshare", "-rm", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"', home.folder]
    said = home.tick(2 * HOUR, expect=3)
    says(said, "cannot be written")
    well_again(home, 3 * HOUR)
    row("read-only file system", "says that it cannot write and which file, exit 3; goes on when it can")


def locked_for_a_second():
    home = fresh("second")
    db = sqlite3.connect(home.folder + "/galloper.db", isolation_level=None, check_same_thread=False)
    db.execute("BEGIN EXCLUSIVE")
    threading.Timer(1, lambda: db.execute("ROLLBACK")).start()
    home.longest = 0.0
    well_again(home, 2 * HOUR)
    assert home.longest >= 0.9, home.longest
    row("database held for a second", "waited for", tick=home.longest)


def locked_database():
    home = fresh("locked")
    db = sqlite3.connect(home.folder + "/galloper.db", isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    said = home.tick(2 * HOUR, expect=3)
    took = time.monotonic() - began
    says(said, "another program holds the database")
    assert 15 < took < 30, took
    log, burnt = home.run_daemon(0, started=MONDAY + 2 * HOUR, wait=lambda: freed_after_a_minute(home, db))
    says(log, "another program holds")
    well_again(home, 3 * HOUR)
    row("database held by another program", "waits 20 s, says so, exit 3; a daemon goes on by itself after a minute", tick=took,
        daemon_cpu=burnt)


def freed_after_a_minute(home, db):
    time.sleep(60)
    db.execute("ROLLBACK")
    until("the daemon answers", lambda: home.sent("ann@school.test", "receipt"), 60)


def damaged_pages():
    """One page alone, each in turn: a pass that meets it says so, and one that does not goes on."""
    home = fresh("page")
    sqlite3.connect(home.folder + "/galloper.db").execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(home.folder + "/galloper.db", "rb") as f:
        whole = f.read()
    size = home.one("PRAGMA page_size")
    met, pages = 0, range(0, len(whole) // size, 1 if ALL else 6)
    for page in pages:
        other = home.copy("page-%d" % page)
        other.configure()
        with open(other.folder + "/galloper.db", "r+b") as f:
            f.seek(page * size)
            f.write(b"\xa5" * size)
        said = other.tick(2 * HOUR, expect=(0, 3))
        if other.code == 3:
            says(said, "galloper restore")
            met += 1
        assert other.code == 3 or len(other.sent("ann@school.test", "receipt")) == 1, "page %d: no answer:\n%s" % (page, said)
        shutil.rmtree(other.folder)
    row("one page of the database", "says damaged and how to restore, or does not need it", pages=len(pages), met=met)


def damaged_database():
    home = fresh("damaged")
    home.at(HOUR, "backup", home.folder + "/copy.db")
    sqlite3.connect(home.folder + "/galloper.db").execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(home.folder + "/galloper.db", "r+b") as f:
        size = os.fstat(f.fileno()).st_size
        for page in range(1, size // 4096):
            f.seek(page * 4096)
            f.write(b"\xa5" * 64)
    said = home.tick(2 * HOUR, expect=3)
    says(said, "damaged", "galloper restore")
    assert os.listdir(home.folder + "/mail/in/new"), "a mail was taken although it could not be kept"
    log, burnt = home.run_daemon(3, started=MONDAY + 2 * HOUR, fails=True)
    says(log, "damaged")
    home.at(2 * HOUR, "restore", home.folder + "/copy.db")
    well_again(home, 3 * HOUR)
    row("database pages overwritten", "says damaged and how to restore, exit 3; after restore all is there", daemon_cpu=burnt)


def little(name, limits, option, unit):
    """A pass under each limit, with a mail to read each time."""
    home = Home(name)
    home.tick(60)
    failed = 0
    for n, limit in enumerate(limits):
        orders(home, HOUR * (n + 1))
        home.prefix = ["prlimit", "--core=0", option % limit]
        # 127: the loader's. GnuTLS, while it is loaded, ends the process in its own way, and says so.
        said = home.at(HOUR * (n + 1) + 60, "tick", expect=(0, 3, 127, -6, -7, -11))
        home.prefix = []
        assert said.strip() or home.code == 127, "%s: with %s it ended without a word" % (name, option % limit)
        failed += " sent." not in said
        home.whole()
    home.tick(900 * HOUR)
    home.tick(901 * HOUR)
    count = len(limits)
    # One whose end came between a mail and its record sends that mail once more, the same.
    receipts = {m["Message-ID"]: m for m in home.sent("ann@school.test", "receipt")}
    assert home.one("SELECT count(*) FROM sheet") == count and len(receipts) == count
    assert all(m.as_bytes() == receipts[m["Message-ID"]].as_bytes() for m in home.sent("ann@school.test", "receipt"))
    row("%s to %s %s" % (limits[0] // unit[0], limits[-1] // unit[0], unit[1]), "every end said why; all orders counted once",
        passes=count, failed=failed)
    return failed


def little_memory():
    if ASAN:  # it takes terabytes of addresses
        return
    kilobyte = (1 << 10, "KB of address space")
    little("addresses", range(40 << 20, 70 << 20, 512 << 10 if ALL else 5 << 20), "--as=%d", kilobyte)
    little("heap", range(200 << 10, 6 << 20, 100 << 10 if ALL else 1 << 20), "--data=%d", (1 << 10, "KB of data"))


def few_descriptors():
    little("descriptors", range(3, 24, 1 if ALL else 5), "--nofile=%d", (1, "descriptors"))


def open_secrets():
    home = fresh("modes")
    home.configure(imap_password="secret", incoming="imap", imap_host="localhost", imap_port=1)
    for mode in 0o644, 0o640, 0o604:
        os.chmod(home.conf, mode)
        says(home.tick(2 * HOUR, expect=3), "holds a password", "chmod 600")
    os.chmod(home.conf, 0o600)
    secret = home.folder + "/secret"
    with open(secret, "w") as f:
        f.write("secret\n")
    home.configure(imap_password='""', imap_password_file="secret")
    os.chmod(secret, 0o644)
    says(home.tick(2 * HOUR, expect=3), "other people", "chmod 600")
    os.chmod(secret, 0o600)
    home.configure(incoming="maildir")
    well_again(home, 3 * HOUR)
    assert os.stat(home.folder + "/galloper.db").st_mode & 0o777 == 0o600, "others can read the database"
    row("secrets that others can read", "refused with the word chmod 600, exit 3")


def broken_template():
    home = Home("template")
    home.at(0, "game", "new", "other", "--battle", "falkirk", "--rules", "shreds", "--english", "cat@school.test", "--jacobite",
            "dan@school.test", "--referee", "head@school.test", "--every", "Fri 16:00")
    home.at(0, "game", "new", "third", "--battle", "falkirk", "--english", "eve@school.test", "--jacobite",
            "fay@school.test", "--referee", "head@school.test", "--every", "Fri 16:00")
    home.tick(60)
    data = home.folder + "/data"
    for part in "db", "templates", "doc":
        shutil.copytree(os.environ["GALLOPER_DATA"] + "/" + part, data + "/" + part)
    kept, os.environ["GALLOPER_DATA"] = os.environ["GALLOPER_DATA"], data
    words, receipt = data + "/templates/shreds.events", data + "/templates/receipt.txt"
    try:
        os.rename(words, words + ".away")  # needed by one game's report alone
        said = home.tick(5 * DAY, expect=(0, 3))
        says(said, "shreds.events")
        turns = dict(home.query("SELECT g.name, count(t.id) FROM game g LEFT JOIN turn t ON t.game = g.id GROUP BY 1"))
        assert turns["third"] == 1, "one game's fault kept another's turn: %s\n%s" % (turns, said)
        assert len(home.sent("eve@school.test", "report")) == 1
        os.rename(words + ".away", words)
        home.tick(5 * DAY + HOUR)
        assert home.one("SELECT count(*) FROM turn t JOIN game g ON g.id = t.game WHERE g.name = 'other'") == 1
        assert len(home.sent("cat@school.test", "report")) == 1

        os.rename(receipt, receipt + ".away")  # needed by every answer
        orders(home, 5 * DAY + 2 * HOUR)
        says(home.tick(5 * DAY + 3 * HOUR, expect=(0, 3)), "receipt.txt")
        with open(receipt, "w") as f:
            f.write("{{#orders}} no end")
        says(home.tick(5 * DAY + 4 * HOUR, expect=(0, 3)), "receipt.txt")
        os.rename(receipt + ".away", receipt)
        well_again(home, 5 * DAY + 5 * HOUR)
        battle = data + "/db/battles/falkirk.battle"
        os.unlink(battle)  # a game has its own copy
        orders(home, 5 * DAY + 6 * HOUR, "Barrell's: advance 3")
        well_again(home, 5 * DAY + 7 * HOUR, sheets=2)
        says(home.at(6 * DAY, "game", "new", "fourth", "--battle", "falkirk", "--english", "x@y.example", "--jacobite",
                     "z@y.example", "--referee", "head@school.test", expect=(1, 3)), "falkirk")
    finally:
        os.environ["GALLOPER_DATA"] = kept
    row("template or battle file missing", "that game or mail waits and says so, others go on; none is lost")


def moving_clock():
    home = fresh("clock")
    for seconds in 2 * HOUR, 90 * DAY, 2 * HOUR, -30 * DAY, 3 * HOUR:
        home.tick(seconds, expect=(0, 3))
        home.whole()
    turns = home.one("SELECT count(*) FROM turn")
    assert turns <= 1, "%d turns for one step of the clock" % turns
    assert home.one("SELECT count(*) FROM sheet") == 1 and len(home.sent("ann@school.test", "receipt")) == 1
    assert home.one("SELECT count(*) FROM outbox WHERE state <> 'sent'") == 0
    row("clock 90 days forth, 120 back", "%d turn resolved, nothing twice, nothing stuck" % turns)


for part in (read_only_disk, damaged_database, damaged_pages, locked_for_a_second, little_memory, few_descriptors, open_secrets, broken_template, moving_clock,
             *([locked_database] if ALL else [])):
    attempt(part.__name__, part)
finish()
