"""A school with a game: a folder with galloper.conf, people with mailboxes of their own on the servers of servers.sh, and
the two programs run on it as a teacher would run them."""
import atexit, email, email.policy, email.utils, imaplib, os, re, signal, smtplib, ssl, subprocess, time

BOX, DOMAIN = os.environ["MAIL_DIR"], os.environ["MAIL_DOMAIN"]
TRUST = ssl.create_default_context(cafile=os.environ["MAIL_CA"])
PASSWORD = "hush-Kelpie-5511"  # of the mailboxes; the SMTP server takes its own alone
SMTP_PASSWORD = "secret"
PEOPLE = ("game", "english", "jacobite", "referee")
POLICY = email.policy.default


def port(name):
    return int(os.environ[name])


def until(what, find, seconds=20, pause=0.1):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = find()
        if found:
            return found
        time.sleep(pause)
    raise AssertionError("not within %d seconds: %s" % (seconds, what))


def text_of(mail):
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def has(mail, *parts):
    text = re.sub(r"\s+", " ", text_of(mail))
    for part in parts:
        assert part in text, "%r is not in:\n%s" % (part, text_of(mail))


class School:
    def __init__(self, name, starttls=False, **settings):
        self.name, self.folder, self.said = name, os.path.join(os.environ["SCRATCH"], name), ""
        self.daemon = None
        # All tests share the servers, and a name is a school's own mailboxes.
        assert self.user("game") + ":" not in open(BOX + "/users").read(), "another test has a school %s" % name
        self.set_passwords(PASSWORD, *PEOPLE)
        self.run("init", self.folder)
        self.conf = os.path.join(self.folder, "galloper.conf")
        self.settings = {
            "address": self.address("game"), "operator": self.address("referee"), "ca-file": os.environ["MAIL_CA"],
            "poll-seconds": 1, "network-seconds": 10, "answers-per-hour": 50,
            "incoming": "imap", "imap-host": "localhost", "imap-user": self.user("game"),
            "imap-port": port("IMAP_PORT" if starttls else "IMAPS_PORT"), "imap-password-file": "imap.secret",
            "imap-security": "starttls" if starttls else "tls",
            "outgoing": "smtp", "smtp-host": "localhost", "smtp-user": self.user("game"),
            "smtp-port": port("SMTP_PORT" if starttls else "SMTPS_PORT"), "smtp-password-file": "smtp.secret",
            "smtp-security": "starttls" if starttls else "tls",
        }
        self.secret("imap", PASSWORD)
        self.secret("smtp", SMTP_PASSWORD)
        self.configure(**settings)

    # --- settings ---

    def user(self, who):
        return "%s-%s" % (self.name, who)

    def address(self, who, tag=""):
        return "%s%s@%s" % (self.user(who), tag and "+" + tag, DOMAIN)

    def set_passwords(self, password, *people):
        path, names = BOX + "/users", tuple(self.user(who) + ":" for who in people)
        lines = [line for line in open(path) if not line.startswith(names)]
        with open(path + ".new", "w") as new:
            new.writelines(lines + ["%s{PLAIN}%s::::::\n" % (name, password) for name in names])
        os.chmod(path + ".new", 0o644)
        os.rename(path + ".new", path)
        time.sleep(1.1)  # Dovecot looks at the file once a second

    def secret(self, server, password):
        path = os.path.join(self.folder, server + ".secret")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as f:
            f.write(password + "\n")

    def configure(self, **settings):
        """Edits the file that `init` wrote, as its reader would: the line of the setting, its # taken away."""
        self.settings.update({name.replace("_", "-"): value for name, value in settings.items()})
        text = open(self.conf).read()
        for name, value in self.settings.items():
            text, count = re.subn(r"(?m)^#?%s .*$" % name, lambda _: "%-18s %s" % (name, value), text)
            assert count == 1, "no line for " + name
        with open(self.conf, "w") as f:
            f.write(text)

    # --- the programs ---

    def run(self, *words, expect=0, program="GALLOPER"):
        done = subprocess.run([os.environ[program], *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120)
        self.said += done.stdout
        self.log_names_nobody(done.stdout)
        assert done.returncode == expect, "%s: exit %d, not %d:\n%s" % (words, done.returncode, expect, done.stdout)
        return done.stdout

    def galloper(self, *words, now=None, expect=0):
        clock = ["--now", now] if now else []
        return self.run("-c", self.conf, *clock, *words, expect=expect)

    def tick(self, now=None, expect=0):
        return self.galloper("tick", now=now, expect=expect)

    def new_game(self, *words, now=None, **addresses):
        who = {side: addresses.get(side, self.address(side)) for side in PEOPLE[1:]}
        return self.galloper("game", "new", self.name, "--battle", "falkirk", "--english", who["english"], "--jacobite",
                             who["jacobite"], "--referee", who["referee"], *words, now=now)

    def start_daemon(self, now=None):
        clock = ["--now", now] if now else []
        self.log = open(os.path.join(self.folder, "daemon.log"), "w+")
        self.daemon = subprocess.Popen([os.environ["GALLOPERD"], "-c", self.conf, *clock, "daemon"], stdin=subprocess.DEVNULL,
                                       stdout=self.log, stderr=self.log, start_new_session=True)
        atexit.register(self.daemon.kill)

    def stop_daemon(self):
        """SIGTERM; gone within seconds, with its children."""
        began = time.monotonic()
        self.daemon.send_signal(signal.SIGTERM)
        status = self.daemon.wait(10)
        took = time.monotonic() - began
        self.log.seek(0)
        log = self.log.read()
        self.said += log
        self.log_names_nobody(log)
        assert status == 0, "the daemon ended with %d:\n%s" % (status, log)
        assert took < 5, "the daemon took %.1f seconds to end" % took
        try:
            os.killpg(self.daemon.pid, 0)
            raise AssertionError("a process of the daemon's is left")
        except ProcessLookupError:
            pass
        return log

    def log_names_nobody(self, text):
        for line in re.findall(r"(?m)^\d{4}-\d\d-\d\dT\S+Z (?:info|warning|debug): .*", text):
            for word in (*(self.user(who) for who in PEOPLE[1:]), "@" + DOMAIN):
                assert word not in line, "the log names somebody: " + line

    def kept_quiet(self):
        for word in (PASSWORD, SMTP_PASSWORD, "wrong-Selkie-7733"):
            assert word not in self.said, "a password was printed: " + word

    # --- people ---

    def box(self, who):
        box = imaplib.IMAP4_SSL("localhost", port("IMAPS_PORT"), ssl_context=TRUST)
        box.login(self.user(who), PASSWORD)
        return box

    def mails(self, who, kind="", folder="INBOX"):
        """In order of arrival; `kind` is what X-Galloper-Mail says."""
        box = self.box(who)
        try:
            if box.select(folder, readonly=True)[0] != "OK":
                return []
            numbers = box.search(None, "ALL")[1][0].split()
            raw = box.fetch(b",".join(numbers), "(BODY.PEEK[])")[1] if numbers else []
        finally:
            box.logout()
        found = [email.message_from_bytes(item[1], policy=POLICY) for item in raw if isinstance(item, tuple)]
        return [m for m in found if not kind or m["X-Galloper-Mail"] == kind]

    def await_mail(self, who, kind, number=1):
        return until("%s %d for %s of %s" % (kind, number, who, self.name),
                     lambda: self.mails(who, kind)[number - 1:])[0]

    def write(self, who, text, reply_to=None, subject="Orders", key=None):
        """A mail as a mail program makes it: a reply that quotes, or a new one that begins with GAME and KEY."""
        m = email.message.EmailMessage(policy=email.policy.SMTP)
        m["From"], m["To"] = self.address(who), self.address("game")
        m["Date"], m["Message-ID"] = email.utils.localtime(), email.utils.make_msgid(domain="school.test")
        if reply_to is not None:
            m.replace_header("To", str(reply_to["Reply-To"]))
            m["Subject"], m["In-Reply-To"] = "Re: " + reply_to["Subject"], reply_to["Message-ID"]
            text += "\n\nOn Monday Galloper wrote:\n" + re.sub("(?m)^", "> ", text_of(reply_to))
        else:
            m["Subject"] = subject
        if key:
            text = "GAME %s\nKEY %s\n\n%s" % (self.name, key, text)
        m.set_content(text)
        return m

    def send(self, who, text, **words):
        m = self.write(who, text, **words)
        with smtplib.SMTP("localhost", port("SMTP_PORT")) as smtp:
            smtp.starttls(context=TRUST)
            smtp.login(self.user(who), SMTP_PASSWORD)
            smtp.send_message(m)
        return m

    def put(self, m, arrived):
        """Lays a mail into the game's INBOX as if it had arrived then: "04-Mar-2026 10:00:00 +0000"."""
        box = self.box("game")
        assert box.append("INBOX", None, '"%s"' % arrived, m.as_bytes())[0] == "OK"
        box.logout()

    def key(self, who):
        [welcome] = self.mails(who, "welcome")
        return re.search(r"(?m)^\s+KEY (\S+)$", text_of(welcome)).group(1)
