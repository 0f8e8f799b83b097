#!/usr/bin/python3
"""See login.test."""
import base64, hashlib, hmac, json, os, re, time
from school import BOX, PASSWORD, SMTP_PASSWORD, School


def access_token(user, seconds=3600):
    """As Dovecot takes it; with seconds below zero one that has run out."""
    key = base64.b64decode(open(BOX + "/keys/default/HS256/default").read())
    plain = lambda b: base64.urlsafe_b64encode(b).rstrip(b"=").decode()
    now = int(time.time())
    words = ".".join(plain(json.dumps(part).encode()) for part in (
        {"alg": "HS256", "typ": "JWT"}, {"sub": user, "iat": now - 7200, "nbf": now - 7200, "exp": now + seconds}))
    return words + "." + plain(hmac.new(key, words.encode(), hashlib.sha256).digest())


def put(s, name, text):
    path = os.path.join(s.folder, name)
    with open(path, "w") as f:
        f.write(text + "\n")
    return path


def quoted(command):
    return '"%s"' % command


s = School("login")
s.new_game()
print(s.tick())
assert len(s.mails("english", "welcome")) == 1

# A command in the place of a password.
s.configure(imap_password_file='""', smtp_password_file='""',
            imap_password_command=quoted("cat %s" % put(s, "imap.word", PASSWORD)),
            smtp_password_command=quoted("cat %s" % put(s, "smtp.word", SMTP_PASSWORD)))
s.send("english", "STATUS", key=s.key("english"))
print(s.tick())
assert len(s.mails("english", "answer")) == 1

# A token in the place of a password.
s.configure(imap_password_command='""', smtp_password_command='""',
            imap_token_command=quoted("cat %s" % put(s, "imap.token", access_token(s.user("game")))),
            smtp_token_command=quoted("echo goodtoken"))
s.send("english", "STATUS", key=s.key("english"))
print(s.tick())
assert len(s.mails("english", "answer")) == 2
assert "good AUTH XOAUTH2 good" in open(BOX + "/smtp.log").read()

# One that has run out: the command is asked once more, and prints another.
put(s, "imap.old", access_token(s.user("game"), -60))
count = os.path.join(s.folder, "count")
fresh = put(s, "fresh.sh", "echo x >>%s; test $(wc -l <%s) = 1 && cat %s/imap.old || cat %s/imap.token" % (
    count, count, s.folder, s.folder))
s.configure(imap_token_command=quoted("sh %s" % fresh))
s.send("english", "STATUS", key=s.key("english"))
print(s.tick())
assert open(count).read() == "x\nx\n", "asked %d times" % len(open(count).readlines())
assert len(s.mails("english", "answer")) == 3


# A command that fails for the moment is no refusal of the account: the operator is not told, the mail waits.
s.configure(smtp_token_command=quoted("exit 3"))
s.send("english", "STATUS", key=s.key("english"))
assert "the command for the password failed (exit status 3)" in s.tick(expect=3)
s.configure(smtp_token_command=quoted("echo goodtoken"))
print(s.tick())
assert len(s.mails("english", "answer")) == 4 and not s.mails("referee", "notice")


def refused(words, **settings):
    """The pass says so, and the doctor says what to do; nothing that was printed is repeated."""
    s.configure(**settings)
    said = re.sub(r"\s+", " ", s.galloper("doctor", "--wait", "0", expect=1))
    assert words in said, "%r is not in:\n%s" % (words, said)
    assert "heather-7744" not in said


refused("the server refuses the log-in: check imap-user and imap-token-command", imap_token_command=quoted("echo heather-7744"))
refused("the command for the password failed (exit status 3)", imap_token_command=quoted("echo heather-7744; exit 3"))
refused("the command for the password printed nothing", imap_token_command="true")
began = time.monotonic()
refused("the command for the password did not end within 20 seconds", imap_token_command=quoted("echo heather-7744; sleep 100"))
assert time.monotonic() - began < 30
refused("give one of them only", imap_password_command="true")
s.configure(imap_password_command='""', imap_token_command=quoted("cat %s/imap.token" % s.folder))
s.configure(smtp_token_command=quoted("echo heather-7744"))
said = s.galloper("doctor", "--wait", "5", expect=1)
assert "FAULT" in said and "smtp" in said and "heather-7744" not in said, said
s.kept_quiet()
