#!/usr/bin/python3
"""See doctor.test."""
import os, re
from school import School, port


def bad_port(kind, variable):
    """The TLS port of the server that shows a certificate of that kind."""
    for entry in os.environ[variable].split():
        name, _, tls = entry.split(":")
        if name == kind:
            return int(tls)
    raise KeyError(kind)


def examine(s, *words, expect=1, wait=6):
    said = s.galloper("doctor", "--wait", str(wait), expect=expect)
    text = re.sub(r"\s+", " ", said)
    for word in words:
        assert word in text, "%r is not in:\n%s" % (word, said)
    return text


s = School("doctor")
text = examine(s, "ok log-in to localhost over a verified connection; 0 mails in INBOX", "ok localhost takes mail from us",
               "ok a mail to ourselves came back", "ok addresses with a plus sign reach the mailbox",
               "ok its Message-ID came back as it was", "ok mails can be moved to the folder Processed",
               "note the mailbox's server does not say whether SPF and DKIM are right",
               "note nothing has read the mailbox in the last quarter of an hour", "All is well", expect=0)
assert "FAULT" not in text, text
assert len(s.mails("game", folder="Processed")) == 2 and not s.mails("game"), "the doctor's own mails are not filed"

s.new_game()
s.start_daemon()
s.await_mail("english", "welcome")
text = examine(s, "ok the mailbox is being polled", "ok 1 of 1 games are running", expect=0)
assert len(s.mails("game", folder="Processed")) == 4, "the daemon took the doctor's mails"
s.stop_daemon()

s.secret("imap", "wrong-Selkie-7733")
examine(s, "FAULT localhost:%d: the server refuses the log-in: check imap-user and imap-password" % port("IMAPS_PORT"),
        "app password", "1 fault.")
s.secret("imap", "hush-Kelpie-5511")

s.secret("smtp", "wrong-Selkie-7733")
examine(s, "refuse", "Look at the lines smtp-", "1 fault.")
s.secret("smtp", "secret")

for kind, words in ("expired", "expired"), ("wronghost", "localhost"), ("selfsigned", "issuer is unknown"):
    s.configure(imap_port=bad_port(kind, "IMAP_BAD_PORTS"))
    examine(s, "FAULT localhost:", words, "Look at the lines imap-", "'ca-file'")
    assert "LOGIN" not in open(os.environ["MAIL_DIR"] + "/imap.log").read(), "a password went to a server with a bad certificate"
s.configure(imap_port=port("IMAPS_PORT"))

s.configure(imap_port=1)
examine(s, "FAULT localhost:1: the server cannot be reached", "are host and port what your provider says")
s.configure(imap_port=port("IMAPS_PORT"), smtp_port=port("SMTP_PORT"))  # TLS at once where STARTTLS is wanted
examine(s, "FAULT no protected connection came about", "143 and 587 want 'starttls'", "1 fault.")
s.configure(smtp_port=port("SMTPS_PORT"), incoming="maildir")  # one line forgotten
examine(s, "note imap-host names a server, but mail comes in through a folder", "'incoming imap'", expect=0)
s.configure(incoming="imap")

s.configure(mailbox="Nowhere")
examine(s, "FAULT", "Nowhere", "Look at the lines imap-")
s.configure(mailbox="INBOX")

# A mail that goes into somebody else's mailbox.
s.configure(address=s.address("referee"))
examine(s, "FAULT a mail from us to %s did not come into INBOX within 2 seconds" % s.address("referee"), "spam folder", wait=2)
s.configure(address=s.address("game"))

database = os.path.join(s.folder, "galloper.db")
os.chmod(database, 0o644)
examine(s, "FAULT %s can be opened by other people on this machine (mode 644)" % database, "chmod go=", "1 fault.")
os.chmod(database, 0o600)

os.chmod(os.path.join(s.folder, "imap.secret"), 0o644)
examine(s, "FAULT", "imap.secret", "chmod 600", "the rest hangs on it")
os.chmod(os.path.join(s.folder, "imap.secret"), 0o600)

with open(s.conf, "a") as f:
    f.write("no-such-setting 1\n")
examine(s, "FAULT %s:" % s.conf, "no-such-setting", "the rest hangs on it")
s.said = s.said.replace("imap.secret", "")  # the name of a file, not the password
s.kept_quiet()

# On folders alone: nothing is sent, nothing waited for.
folders = os.path.join(os.environ["SCRATCH"], "folders")
s.run("init", folders)
text = s.run("-c", folders + "/galloper.conf", "doctor")
assert "ok    mail comes in through the folder" in text and "All is well" in text, text
