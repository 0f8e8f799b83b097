#!/usr/bin/python3
"""See stop.test. Each part stops the daemon (School.stop_daemon: exit 0, within seconds) somewhere, starts it again, and
looks at what has come of the mail."""
import signal, sqlite3
from proxy import Proxy
from school import School, has, port, until

PADDING = (" " * 70 + "\n") * 3000
FRIDAY = "2026-03-06T17:00:00Z"  # after the first deadline of a game that was made on the Monday before


def wait_held(proxy):
    assert proxy.held.wait(20), "the proxy never got as far"


def fetching():
    proxy = Proxy(port("IMAPS_PORT"), down=60000)
    s = School("fetch", imap_port=proxy.port)
    s.new_game()
    s.tick()
    welcome = s.await_mail("english", "welcome")
    s.send("english", "Wolfe's: advance 3\n" + PADDING, reply_to=welcome)
    s.start_daemon()
    wait_held(proxy)
    assert "error" not in s.stop_daemon()
    assert len(s.mails("game")) == 1 and not s.mails("english", "receipt")

    proxy.held.clear()
    s.start_daemon()
    wait_held(proxy)
    s.configure(sender_name="Aide")
    s.daemon.send_signal(signal.SIGHUP)
    proxy.release()
    has(s.await_mail("english", "receipt"), "D: move 3 forward")  # of the poll that was under way
    until("the configuration read", lambda: "configuration read again" in open(s.log.name).read())
    s.send("english", "STATUS", reply_to=welcome)
    assert "Aide" in s.await_mail("english", "answer")["From"]
    until("the mails filed", lambda: not s.mails("game"))
    s.stop_daemon()
    assert len(s.mails("english", "receipt")) == 1
    s.kept_quiet()


def filing(mails=60):
    """The server keeps still while mails are moved, and others are being acted on."""
    proxy = Proxy(port("IMAPS_PORT"))
    s = School("file", imap_port=proxy.port, answers_per_hour=1000)
    s.new_game()
    s.tick()
    key, box = s.key("english"), s.box("game")
    for number in range(mails):
        m = s.write("english", "Wolfe's: advance %d\n" % (number % 6 + 1) + "Barrell's: galumph twice\n" * 100, key=key)
        assert box.append("INBOX", None, None, m.as_bytes())[0] == "OK"
    box.logout()
    s.start_daemon()
    until("the first receipts", lambda: waiting(s), pause=0.005)
    proxy.answer_after = 0
    wait_held(proxy)
    s.stop_daemon()
    acted = sheets(s)
    proxy.cut()
    s.tick()
    assert sheets(s) == mails == len(s.mails("english", "receipt")) and not s.mails("game")
    s.kept_quiet()
    print("stopped after %d of %d mails" % (acted, mails))


def sheets(s):
    with sqlite3.connect(s.folder + "/galloper.db") as db:
        return db.execute("SELECT count(*) FROM sheet").fetchone()[0]


def sending(name, released, copies, **held):
    """`released` seconds after SIGTERM the server goes on; None: it does not, and the connection is lost. `copies` have been
    delivered when the daemon has ended."""
    proxy = Proxy(port("SMTPS_PORT"), **held)
    s = School(name)
    s.new_game()
    s.tick()
    s.send("english", "Wolfe's: advance 3", reply_to=s.await_mail("english", "welcome"))
    s.configure(smtp_port=proxy.port)
    s.start_daemon()
    wait_held(proxy)
    if released is not None:
        signal.signal(signal.SIGALRM, lambda *_: proxy.release())
        signal.setitimer(signal.ITIMER_REAL, released)
    s.stop_daemon()
    proxy.cut()
    before = [m.as_bytes() for m in s.mails("english", "receipt")]
    assert len(before) == copies, len(before)
    s.start_daemon()
    s.await_mail("english", "receipt")
    until("the daemon at work", lambda: "begun" in open(s.log.name).read())
    until("the outbox empty", lambda: not waiting(s))
    s.stop_daemon()
    after = s.mails("english", "receipt")
    assert len(after) == copies + (released is None) and len({m["Message-ID"] for m in after}) == 1, len(after)
    assert len({m.get_payload(0).as_bytes() for m in after}) == 1, "the same Message-ID with different content"
    s.kept_quiet()


def waiting(s):
    with sqlite3.connect(s.folder + "/galloper.db") as db:
        return db.execute("SELECT count(*) FROM outbox WHERE state <> 'sent'").fetchone()[0]


def resolving(games=60):
    s = School("resolve", incoming="maildir", outgoing="maildir")
    for number in range(games):
        s.galloper("game", "new", "g%d" % number, "--battle", "falkirk", "--english", "e%d@school.test" % number,
                   "--jacobite", "j%d@school.test" % number, "--referee", "r@school.test", now="2026-03-02T09:00:00Z")
    s.tick(now="2026-03-02T09:01:00Z")
    s.start_daemon(now=FRIDAY)
    until("a turn resolved", lambda: " resolved (" in open(s.log.name).read(), pause=0.005)
    done = s.stop_daemon().count(" resolved (")
    s.tick(now=FRIDAY)
    with sqlite3.connect(s.folder + "/galloper.db") as db:
        assert db.execute("SELECT count(*), count(DISTINCT game) FROM turn").fetchone() == (games, games)
        kinds = db.execute("SELECT kind, state, count(*) FROM outbox GROUP BY 1, 2 ORDER BY 1").fetchall()
    assert kinds == [("report", "sent", 3 * games), ("welcome", "sent", 3 * games)], kinds
    assert done < games, "all was over before the daemon could be stopped"
    print("stopped after %d of %d games" % (done, games))


fetching()
filing()
sending("body", None, 0, up=6000)
sending("dot", None, 1, answer_after=6000)
sending("word", 1, 1, answer_after=6000)
resolving()
