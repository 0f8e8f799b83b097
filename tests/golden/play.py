#!/usr/bin/python3
"""Plays a scripted week over Maildirs with a fixed clock and prints every mail that comes out.

    play.py SCRIPT FOLDER        plays SCRIPT in the empty FOLDER; the transcript goes to standard output

A script has a step a line; `#` begins a remark:
    now TIME                     the clock from here on (2027-01-15T16:00:00Z)
    run COMMAND...               galloper COMMAND...; prints what it says and its exit code
    reply WHO FILE|- [as ADDR] [about TEXT]
                                 WHO (an address) answers the newest mail he has got, or the newest with TEXT in it; the
                                 typed text stands above the quoted mail; FILE lies beside the script, `-` takes the
                                 indented lines that follow
    mail WHO SUBJECT FILE|-      a fresh mail of WHO to the game's address
    raw FILE                     a whole mail, as it is
    long WHO N                   a reply of N lines
    tick                         one pass of the daemon
    dice GAME WHO                rolls every die of the game again, with the formula of doc/dice.md and the seed that WHO
                                 has been mailed at the end, and compares it and the seed's fingerprint of his welcome
    mails whole|brief            brief: of each mail from here on only whom it is to, its subject and first paragraph
{key:NAME} in a mail's text is the key that NAME (an address) was told in his last welcome, {key:NAME 2} in his second.
The same steps and the same clock give the same transcript, byte for byte: the random source is fixed too.
"""
import email, email.policy, hashlib, json, os, re, shlex, subprocess, sys

GALLOPER = os.environ["GALLOPER"]


def die(seed, stream, sides, n):
    """As doc/dice.md has it."""
    block = 0
    while True:
        name = stream if block == 0 else "%s#%d" % (stream, block)
        for byte in hashlib.blake2b(name.encode(), key=seed, digest_size=64).digest():
            if byte < 256 - 256 % sides:
                n -= 1
                if n == 0:
                    return byte % sides + 1
        block += 1


class Week:
    def __init__(self, script, folder):
        self.base, self.folder = os.path.dirname(script), folder
        self.now, self.sent, self.seen, self.got, self.keys, self.runs, self.secrets = None, 0, set(), {}, {}, 0, {}
        self.brief, self.referees, self.written = False, set(), {}
        self.lines = open(script).read().split("\n")

    def galloper(self, *words):
        self.runs += 1  # or two commands of one moment would make the same "random" Message-IDs
        words = [w.replace("{folder}", self.folder) for w in words]
        command = [GALLOPER, "-c", self.folder + "/galloper.conf", "--random", "golden %d" % self.runs, "--now", self.now, *words]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, (done.stdout + done.stderr).replace(self.folder, "FOLDER")

    def deliver(self, raw):
        self.sent += 1
        said = raw.decode("latin-1") if isinstance(raw, bytes) else raw
        for who in re.findall(r"[\w.+-]+@[\w.-]+", "".join(re.findall("^From:.*", said, re.M))):
            self.written[who.lower()] = self.written.get(who.lower(), "") + said
        new = self.folder + "/mail/in/new"
        for part in ("new", "cur", "tmp"):
            os.makedirs(self.folder + "/mail/in/" + part, exist_ok=True)
        path = "%s/%06d.golden" % (new, self.sent)
        with open(path, "wb") as f:
            f.write(raw if isinstance(raw, bytes) else raw.encode())
        moment = int(subprocess.run(["date", "-d", self.now, "+%s"], capture_output=True, text=True, check=True).stdout)
        os.utime(path, (moment, moment))

    def typed(self, source, at):
        if source != "-":
            text = open(os.path.join(self.base, source)).read()
        else:
            taken = []
            while at < len(self.lines) and (self.lines[at][:1] in (" ", "\t") or
                                            (self.lines[at] == "" and self.lines[at + 1:at + 2]
                                             and self.lines[at + 1][:1] in (" ", "\t"))):
                taken.append(self.lines[at][4:] if self.lines[at].startswith("    ") else self.lines[at].strip())
                at += 1
            text = "\n".join(taken) + "\n"
        return self.with_keys(text), at

    def with_keys(self, text):
        for who, keys in self.keys.items():
            text = text.replace("{key:%s}" % who, keys[-1])
            for n, key in enumerate(keys):
                text = text.replace("{key:%s %d}" % (who, n + 1), key)
        return text

    def reply(self, who, text, sender, about):
        got = [m for m in self.got[who] if about in m["Subject"] or about in m.get_body(("plain",)).get_content()][-1]
        body = got.get_body(("plain",)).get_content()
        quoted = "".join("> " + line + "\n" for line in body.split("\n"))
        return ("From: %s\nTo: %s\nSubject: Re: %s\nMessage-ID: <%d@school.example>\nIn-Reply-To: %s\n"
                "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
                "%s\nOn Fri, 15 Jan 2027 at 16:04, Galloper <galloper@localhost> wrote:\n%s") % (
            sender, got["Reply-To"] or got["From"], " ".join(got["Subject"].split()), self.sent + 1,
            got["Message-ID"], text, quoted)

    def check_addresses(self, who, m):
        """Nobody but a referee is shown an address that is not his own, save one that he has written himself."""
        text = m["Subject"] + "".join(p.get_content() for p in m.walk() if p.get_content_maintype() == "text")
        if "You are the referee of the game" in text:
            self.referees.add(who)
        if who in self.referees or who.startswith("operator@"):
            return
        for address in re.findall(r"[\w.+-]+@[\w-][\w.-]*\w", text):
            assert address.lower() in (who, "galloper@localhost") or address in self.written.get(who, ""), \
                "a mail to %s shows the address %s" % (who, address)

    def collect(self):
        """Prints the mails that have come out since the last call, by address and then in order of sending."""
        root = self.folder + "/mail/out"
        for who in sorted(os.listdir(root)) if os.path.isdir(root) else []:
            fresh = [n for n in os.listdir(os.path.join(root, who, "new")) if (who, n) not in self.seen]
            mails = []
            for name in fresh:
                self.seen.add((who, name))
                with open(os.path.join(root, who, "new", name), "rb") as f:
                    mails.append(email.message_from_bytes(f.read(), policy=email.policy.default))
            for m in sorted(mails, key=lambda m: (m["X-Galloper-Mail"] or "", m["Message-ID"])):
                if m["Reply-To"]:  # people answer what belongs to a game
                    self.got.setdefault(who, []).append(m)
                self.check_addresses(who, m)
                text = m.get_body(("plain",)).get_content()
                key = re.search(r"KEY +([a-z]+(?:-[a-z0-9]+)+)", text)
                if key and key.group(1) not in self.keys.setdefault(who, []):
                    self.keys[who].append(key.group(1))
                self.secrets.setdefault(who, []).extend(re.findall("^    ([0-9a-f]{64})$", text, re.M))
                for line in text.split("\n"):
                    assert len(line) <= 72, "a line of over 72 columns: " + line
                if self.brief:
                    print("%s: %s" % (m["To"], " ".join(m["Subject"].split())))
                    print("".join("    " + line + "\n" for line in text.split("\n\n")[0].split("\n")), end="")
                    continue
                print("=" * 72)
                for h in ("From", "To", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "Auto-Submitted"):
                    if m[h]:
                        print("%s: %s" % (h, " ".join(m[h].split())))
                print()
                print(text.rstrip("\n"))

    def check_dice(self, game, who):
        """What is told of dice is checked with nothing but the mails and what is said to have been rolled."""
        seed = bytes.fromhex(self.secrets[who][-1])
        assert hashlib.blake2b(seed, digest_size=32).hexdigest() == self.secrets[who][0], "another fingerprint"
        turn, dice = 0, 0
        while True:
            code, said = self.galloper("report", game, "--turn", str(turn + 1), "--json")
            if code != 0:
                break
            turn += 1
            for event in json.loads(said)["events"]:
                for d in event.get("dice", []):
                    stream, n = d["name"].rsplit(".", 1)
                    assert d.get("amended") or die(seed, stream, d["sides"], int(n)) == d["value"], d["name"]
                    dice += 1
        print("%d dice of %d turns are as the seed has them" % (dice, turn))

    def play(self):
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            at += 1
            words = shlex.split(line, comments=True)
            if not words:
                continue
            print("# " + line.strip())
            verb, rest = words[0], words[1:]
            if verb == "now":
                self.now = rest[0]
            elif verb == "run":
                code, said = self.galloper(*rest)
                print(said + ("exit %d\n" % code if code else ""), end="")
            elif verb == "mails":
                self.brief = rest[0] == "brief"
            elif verb == "tick":
                code, said = self.galloper("tick")
                print(said + ("exit %d\n" % code if code else ""), end="")
            elif verb == "dice":
                self.check_dice(*rest)
            elif verb == "reply":
                text, at = self.typed(rest[1], at)
                more = dict(zip(rest[2::2], rest[3::2]))
                self.deliver(self.reply(rest[0], text, more.get("as", rest[0]), more.get("about", "")))
            elif verb == "mail":
                text, at = self.typed(rest[2], at)
                self.deliver("From: %s\nTo: %s\nSubject: %s\nMessage-ID: <%d@school.example>\n\n%s" % (
                    rest[0], "galloper@localhost", rest[1], self.sent + 1, text))
            elif verb == "raw":
                with open(os.path.join(self.base, rest[0]), encoding="latin-1") as f:
                    self.deliver(self.with_keys(f.read()).encode("latin-1"))
            elif verb == "long":
                line = "R: advance 1\n" * int(rest[1])
                self.deliver(self.reply(rest[0], line, rest[0], ""))
            else:
                sys.exit("%s: no such step: %s" % (sys.argv[1], line))
            self.collect()


if __name__ == "__main__":
    Week(sys.argv[1], sys.argv[2]).play()
