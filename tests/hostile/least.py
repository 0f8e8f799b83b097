#!/usr/bin/python3
"""As few rights as will do: the systemd unit's rating, and the daemon at work, over IMAP and SMTP with TLS, under what the unit
takes away: a file system that can only be read but for its own folder, no capabilities, no new privileges, little memory,
and no system call beyond those that the unit's filter lets through (looked up in a trace; where there is no strace or
systemd-analyze that part is left out). What the mail reader may do is tried in ../unit/test_mail_reader.c."""
import glob, os, re, shutil, subprocess
from home import HERE, HOUR, MONDAY, Home, attempt, confined, finish, odd_servers, row
from school import until

UNIT = HERE + "/../../cron/galloperd.service"
RATED = shutil.which("systemd-analyze") is not None


def rating():
    if not RATED:
        return row("systemd-analyze security", "SKIPPED: there is no systemd-analyze here")
    said = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager", UNIT], stdout=subprocess.PIPE, text=True).stdout
    rated = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", said).group(1))
    assert rated < 2.0, said
    row("systemd-analyze security", "%.1f, under 2.0" % rated)


def group(name):
    """The system calls of a group, as systemd knows them, groups in it opened."""
    calls = set()
    said = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", name], stdout=subprocess.PIPE, text=True, check=True).stdout
    for word in said.split("\n")[1:]:
        word = word.strip()
        if word.startswith("@"):
            calls |= group(word)
        elif word and not word.startswith("#"):
            calls.add(word)
    return calls


def filtered():
    calls = set()
    with open(UNIT) as f:
        for words in re.findall(r"(?m)^SystemCallFilter=(.*)$", f.read()):
            for word in words.lstrip("~").split():
                calls = calls - group(word) if words.startswith("~") else calls | group(word)
    return calls


def at_work():
    if not confined():
        return row("the daemon without rights", "SKIPPED: this user may not mount")
    home = Home("least", game=False, incoming="imap", imap_host="localhost", imap_user="game", imap_password_command='"echo secret"',
                imap_port=1, outgoing="smtp", smtp_host="localhost", smtp_user="game", smtp_password="secret")
    os.chmod(home.conf, 0o600)
    home.tick(0, expect=3)
    home.make_game("least")
    mails = home.folder + "/mails"
    os.mkdir(mails)
    for n in 1, 2, 3:
        with open("%s/%d.eml" % (mails, n), "w", newline="\r\n") as f:
            f.write("From: ann@school.test\nTo: galloper@game.test\nSubject: x\nMessage-ID: <%d@x>\n\nGAME least\nKEY %s\n\n"
                    "Barrell's: advance %d\n" % (n, home.key("E"), n))
    trace = home.folder + "/trace"
    with odd_servers("../e2e/imap_odd.py", ("news",), ODD_MAILS=mails) as imap, odd_servers("smtp_odd.py", ("none-none",)) as smtp:
        home.configure(imap_port=imap["news"], smtp_port=smtp["none-none"])
        bonds = ["unshare", "-rm", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"', home.folder,
                 "setpriv", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--", "prlimit", "--as=%d" % (512 << 20)]
        traced = RATED and shutil.which("strace") is not None and os.environ.get("MODE") != "asan"
        if os.environ.get("MODE") == "asan":  # it takes terabytes of addresses, and calls of its own
            bonds = bonds[:-2]
        home.prefix = bonds + (["strace", "-D", "-ff", "-qq", "-o", trace] if traced else [])
        log, _ = home.run_daemon(0, started=MONDAY + 240 * HOUR, wait=lambda: (
            until("the orders read and answered", lambda: home.one("SELECT count(*) FROM outbox WHERE kind = 'receipt' AND state = 'sent'") == 3, 60)))
    assert "error" not in log, log
    said = "reads three mails, sends six"
    if traced:
        used = set()
        for path in glob.glob(trace + ".*"):
            with open(path, errors="replace") as f:
                used |= set(re.findall(r"(?m)^([a-z0-9_]+)\(", f.read()))
        # SQLite calls fchown as root alone, and the unit has a user of its own.
        beyond = used - filtered() - {"fchown"}
        assert not beyond, "the unit's filter would refuse %s" % ", ".join(sorted(beyond))
        said += ", with %d kinds of system call, all of which the unit allows" % len(used)
    row("the daemon without rights", said)


attempt("rating", rating)
attempt("at work", at_work)
finish()
