#!/usr/bin/python3
"""smtp_odd.py DIR MODE:PORT...: SMTP servers with one fault each, on 127.0.0.1, within TLS. A MODE is the step at which it
shows and what then happens: "rcpt-450" is a refusal with that code, "mail-eof" hangs up, "dot-hang" says nothing more,
"ehlo-drip" answers so slowly that it never ends. "dot-lost" has taken the mail when it hangs up, "dot-late" answers when
nobody waits any more, "SOMETHING-daily" is a provider's daily limit. As long as a file DIR/mended exists, they are all
without fault. Each connection is a line of DIR/odd.log, each mail taken one of DIR/taken.log: MODE MESSAGE-ID HASH RECIPIENT."""
import asyncio, hashlib, os, re, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
import odd
from odd import Gone

LOG, TAKEN = (open(odd.DIR + name, "a", buffering=1) for name in ("/odd.log", "/taken.log"))
STEPS = {"EHLO": "ehlo", "HELO": "ehlo", "AUTH": "auth", "MAIL": "mail", "RCPT": "rcpt", "DATA": "data"}
GOOD = {"ehlo": "250-odd\r\n250 AUTH PLAIN", "auth": "235 in", "mail": "250 ok", "rcpt": "250 ok", "data": "354 go",
        "greet": "220 odd ESMTP", "dot": "250 taken"}
DAILY = "550 5.4.5 Daily user sending limit exceeded"


async def drip(writer):
    while True:
        writer.write(b"250-still here\r\n")
        await writer.drain()
        await asyncio.sleep(0.3)


async def answer(mode, step, writer):
    at, _, fault = mode.partition("-")
    if at != step or fault in ("lost", "late"):
        writer.write(GOOD[step].encode() + b"\r\n")
    elif fault == "eof":
        raise Gone
    elif fault == "hang":
        await asyncio.sleep(60)
    elif fault == "drip":
        await drip(writer)
    else:
        writer.write((DAILY if fault == "daily" else fault + " not so").encode() + b"\r\n")
    await writer.drain()
    return at != step or fault in ("lost", "late")


async def take(mode, reader, writer, recipient):
    lines = []
    while (line := await reader.readline()) not in (b".\r\n", b""):
        lines.append(line)
    if line == b"":
        raise Gone
    raw = b"".join(lines)
    if mode.partition("-")[0] != "dot" or mode in ("dot-lost", "dot-late"):
        found = re.search(rb"(?im)^Message-ID: *(\S+)", raw)
        print(mode, found.group(1).decode(), hashlib.sha256(raw).hexdigest(), recipient, file=TAKEN)
    if mode == "dot-lost":
        raise Gone
    if mode == "dot-late":
        await asyncio.sleep(5)
    await answer(mode, "dot", writer)


async def talk(mode, _, reader, writer):
    recipient = ""
    print(mode, file=LOG)
    if odd.mended():
        mode = "none-" + mode  # a step that never comes
    if not await answer(mode, "greet", writer):
        return
    while line := await reader.readline():
        verb = line[:4].decode("latin-1").upper()
        if verb == "RCPT":
            recipient = line.decode("latin-1").strip().partition(":")[2]
        if verb == "QUIT":
            writer.write(b"221 bye\r\n")
            await writer.drain()
            return
        if line.strip().upper() == b"AUTH PLAIN":
            writer.write(b"334 \r\n")
            await writer.drain()
            await reader.readline()
        if verb not in STEPS:
            writer.write(b"250 ok\r\n" if verb == "RSET" else b"500 what\r\n")
        elif await answer(mode, STEPS[verb], writer) and verb == "DATA":
            await take(mode, reader, writer, recipient)
        await writer.drain()


odd.run(talk)
