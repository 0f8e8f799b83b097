#!/usr/bin/python3
"""Draws the mails of a game in headless Chromium, light and dark, 320 and 800 pixels wide, the plain text in a
proportional font too, and measures: the map's columns stand at equal places, nothing is wider than the screen but what
scrolls, the sides' colours have a contrast of 4.5, everybody on the map stands in the words below it, and a mail is under
100 KB. The pictures lie in $PICTURES, if that is given."""
import email, email.policy, html, json, os, pathlib, re, subprocess, tempfile

GALLOPER, SCRATCH = os.environ["GALLOPER"], pathlib.Path(os.environ.get("SCRATCH") or tempfile.mkdtemp())
PICTURES = os.environ.get("PICTURES")
MEASURE = pathlib.Path("measure.js").read_text()


def galloper(folder, now, *words):
    subprocess.run([GALLOPER, "-c", folder / "galloper.conf", "--now", now, *words], check=True, capture_output=True)


def mails():
    """A welcome, a receipt and a report to one player."""
    folder, who = SCRATCH / "game", "ann@school.test"
    subprocess.run([GALLOPER, "init", folder], check=True, capture_output=True)
    galloper(folder, "2027-01-11T09:00:00Z", "game", "new", "looks", "--battle", "falkirk", "--english", who, "--jacobite",
             "jo@school.test", "--referee", "ref@school.test")
    galloper(folder, "2027-01-11T09:01:00Z", "tick")
    new = folder / "mail" / "out" / who / "new"
    [welcome] = [read(path) for path in new.iterdir()]
    reply = email.message.EmailMessage()
    reply["From"], reply["To"], reply["Subject"] = who, str(welcome["Reply-To"]), "Re: " + welcome["Subject"]
    reply.set_content("Wolfe's: advance 3\nBarrell's: move 4 north; fire at Camrons\n")
    box = folder / "mail" / "in" / "new"
    box.mkdir(parents=True, exist_ok=True)
    (box / "1.looks").write_bytes(bytes(reply))
    os.utime(box / "1.looks", (1799665200, 1799665200))  # 2027-01-11T11:00:00Z
    galloper(folder, "2027-01-11T12:00:00Z", "tick")
    galloper(folder, "2027-01-15T18:30:00Z", "tick")
    for path in new.iterdir():
        assert path.stat().st_size < 100 * 1024, "%s has %d bytes" % (path, path.stat().st_size)
    found = {m["X-Galloper-Mail"]: m for m in map(read, new.iterdir())}
    return {kind: found[kind] for kind in ("welcome", "receipt", "report")}


def read(path):
    return email.message_from_bytes(path.read_bytes(), policy=email.policy.default)


def draw(name, page, width, dark):
    """The page in a frame of that width, since no window of a browser is as narrow as a telephone; what was measured."""
    path = SCRATCH / (name + ".html")
    path.write_text('<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>body{margin:0}'
                    'iframe{border:0;width:%dpx;height:4000px}</style><iframe srcdoc="%s"></iframe><pre id="out"></pre>'
                    '<script>%s</script>' % (width, html.escape(page), MEASURE))
    command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-extensions",
               "--user-data-dir=%s" % (SCRATCH / "profile"), "--virtual-time-budget=2000",
               "--blink-settings=preferredColorScheme=%d" % (0 if dark else 1), "--window-size=%d,4000" % max(width, 800)]
    if PICTURES:
        subprocess.run([*command, "--screenshot=%s/%s.png" % (PICTURES, name), path.as_uri()], capture_output=True, timeout=60)
    done = subprocess.run([*command, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=60)
    found = re.search(r'<pre id="out">(.*?)</pre>', done.stdout, re.S)
    assert found and found.group(1), "%s: nothing was measured:\n%s" % (name, done.stderr[-2000:])
    return json.loads(html.unescape(found.group(1)))


def check(name, seen, width, dark, has_map):
    faults = []
    if seen["dark"] != dark:
        faults.append("the colour scheme is not the one asked for")
    if seen["wide"] > width:
        faults.append("is %d pixels wide on a screen of %d" % (seen["wide"], width))
    if has_map and seen["rows"] < 20:
        faults.append("shows %d rows of a map" % seen["rows"])
    if seen["crooked"] > 0.5:
        faults.append("the map's columns are %.1f pixels apart" % seen["crooked"])
    if seen["contrast"] < 4.5:
        faults.append("a colour has a contrast of %.2f" % seen["contrast"])
    if has_map and not seen["labelled"]:
        faults.append("a screen reader reads the map out")
    return ["%s: %s" % (name, fault) for fault in faults]


def in_words(kind, text):
    """Whoever stands on the map stands in the words too, for those who cannot see it."""
    lines = text.split("\n")
    letters = {c for line in lines if re.match(r"^[ 1][ 0-9]\|.{60}\|$", line) for c in re.findall(r"([A-Za-z])[v^<>!]", line)}
    return ["%s: %s is on the map alone" % (kind, c) for c in sorted(letters)
            if not any(re.match(r"\s*%s\b" % c, line) for line in lines)]


faults, pages = [], 0
for kind, mail in mails().items():
    page, text = mail.get_body(("html",)).get_content(), mail.get_body(("plain",)).get_content()
    if kind != "receipt":
        faults += in_words(kind, text)
    for width in 320, 800:
        for dark in False, True:
            name = "%s-%d-%s" % (kind, width, "dark" if dark else "light")
            faults += check(name, draw(name, page, width, dark), width, dark, "  +---" in text)
            pages += 1
    proportional = '<meta name="color-scheme" content="light dark"><div style="font:14px sans-serif;white-space:pre-wrap;' \
                   'overflow-wrap:anywhere">%s</div>' % html.escape(text)
    for width in 320, 800:
        name = "%s-%d-proportional" % (kind, width)
        faults += check(name, draw(name, proportional, width, False), width, False, False)
        pages += 1
print("\n".join(faults))
print("looks: %d pages, %d faults" % (pages, len(faults)))
raise SystemExit(bool(faults))
