#!/usr/bin/python3
"""imap_odd.py DIR MODE:PORT...: IMAP servers with one fault each, on 127.0.0.1, with the good certificate; a MODE that begins
with "clear-" offers STARTTLS, the others speak TLS at once. The mailbox holds three mails: those of the folder ODD_MAILS, if
it is set. Each connection is a line of DIR/odd.log. As long as a file DIR/mended exists, they are all without fault.
test_mail_imap.c and tests/hostile/imap.py say what has to come of each."""
import asyncio, os
import odd

MAILS = os.environ.get("ODD_MAILS")
LOG = open(odd.DIR + "/odd.log", "a", buffering=1)
TIMES = {}  # how often a mode was asked to FETCH
SELECTS = {}  # and to SELECT


def mail(number):
    if MAILS:
        with open("%s/%d.eml" % (MAILS, number), "rb") as f:
            return f.read()
    return b"Subject: mail %d\r\n\r\nbody of %d\r\n" % (number, number)


def body(number, uid=None, text=None):
    text = mail(number) if text is None else text
    return b"* %d FETCH (UID %d BODY[] {%d}\r\n%b)\r\n" % (number, uid or number, len(text), text)


def listing(number, extra=b"", size=40, day=None):
    return b'* %d FETCH (UID %d RFC822.SIZE %d INTERNALDATE "0%d-Nov-2026 10:00:00 +0100" FLAGS (%b))\r\n' % (
        number, number, size, day or number, extra)


def bodies(mode, tag, uids):
    """The answer to a UID FETCH of bodies, and whether the server then hangs up."""
    TIMES[mode] = TIMES.get(mode, 0) + 1
    good = b"".join(body(n) for n in uids) + tag + b" OK done\r\n"
    if mode == "half":
        return (b"".join(body(n) for n in uids[:2]) + tag + b" NO [UNAVAILABLE] backend error\r\n"
                if len(uids) > 1 else good), False
    if mode == "poison" and 2 in uids:  # mail 2 cannot be parsed, in whatever company
        return b"".join(b"* 2 FETCH (UID 2 X-UNKNOWN (a b) BODY[] {5}\r\nhello)\r\n" if n == 2 else body(n)
                        for n in uids) + tag + b" OK done\r\n", False
    if mode == "eof" and 2 in uids:
        return b"* 2 FETCH (UID 2 BODY[] {1000}\r\nhalf of a", True
    if mode == "nil":
        return b"* 1 FETCH (UID 1 BODY[] NIL)\r\n" + b"".join(body(n) for n in uids if n != 1) + tag + b" OK done\r\n", False
    if mode == "news":
        return b"* 1 EXPUNGE\r\n* 2 EXISTS\r\n* 2 FETCH (FLAGS (\\Seen))\r\n" + good, False
    if mode == "ghost":
        return b"".join(body(n) for n in uids if n != 3) + tag + b" OK done\r\n", False
    if mode == "bye" and TIMES[mode] == 1:
        return body(1) + b"* BYE Session expired, please login again.\r\n", True
    if mode == "huge" and 1 in uids:
        return b"* 1 FETCH (UID 1 BODY[] {4294967295}\r\n" + b"x" * 1000, True
    if mode == "overflow" and 1 in uids:
        return b"* 1 FETCH (UID 1 BODY[] {4294967306}\r\nxxxxxxxxxx)\r\n" + good, False
    if mode == "nouid":
        return body(1).replace(b"UID 1 ", b"") + b"".join(body(n) for n in uids if n != 1) + tag + b" OK done\r\n", False
    if mode == "nested" and 2 in uids:
        return b"* 2 FETCH (UID 2 FLAGS (\\Seen (\\Bad)) BODY[] {5}\r\nhello)\r\n" + good, False
    if mode == "backoff":
        return tag + b" NO Request is throttled. Suggested Backoff Time: 299961 milliseconds\r\n", False
    if mode == "nul":
        return body(1, text=b"Subject: x\r\n\r\na\0b\r\n") + b"".join(body(n) for n in uids if n != 1) + tag + b" OK done\r\n", False
    return good, False


def wanted(words):
    uids = []
    for piece in words.split(b","):
        low, _, high = piece.partition(b":")
        uids += range(int(low), int(high or low) + 1)
    return uids


async def half_a_literal(writer, word):
    writer.write(b"* 1 FETCH (UID 1 BODY[] {1000}\r\nhalf")
    await writer.drain()
    await (trickle(writer) if word == "drip" else asyncio.sleep(30))


async def trickle(writer):
    while True:
        writer.write(b"*")
        await writer.drain()
        await asyncio.sleep(0.2)


async def answer(mode, tag, line, writer):
    upper = line.upper()
    if upper.startswith(b"CAPABILITY"):
        writer.write(b"* CAPABILITY IMAP4rev1 STARTTLS UIDPLUS MOVE\r\n" + tag + b" OK done\r\n")
    elif upper.startswith(b"LOGIN") and mode == "refused":
        writer.write(tag + b" NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)\r\n")
    elif upper.startswith(b"LOGIN") and mode == "password":
        writer.write(tag + b" NO [ALERT] Application-specific password required: https://support.google.com/ (Failure)\r\n")
    elif upper.startswith(b"LOGIN") and mode == "throttled":
        writer.write(tag + b" NO [ALERT] Too many simultaneous connections. (Failure)\r\n")
    elif upper.startswith(b"LOGIN") and mode == "trickle":
        await trickle(writer)
    elif upper.startswith(b"LOGIN") and mode == "stall":
        await asyncio.sleep(30)
    elif upper.startswith(b"SELECT") and mode == "nomailbox":
        writer.write(tag + b" NO [NONEXISTENT] Unknown Mailbox\r\n")
    elif upper.startswith(b"SELECT"):
        SELECTS[mode] = SELECTS.get(mode, 0) + 1
        number = 7 + SELECTS[mode] if mode in ("validity", "reused") else 4294967295
        validity = b"" if mode == "novalidity" else b"* OK [UIDVALIDITY %d] .\r\n" % number
        writer.write(b"* FLAGS (\\Seen)\r\n* 3 EXISTS\r\n* 0 RECENT\r\n" + validity + tag + b" OK [READ-WRITE] done\r\n")
    elif b"FETCH" in upper and mode in ("reused", "sameuids") and SELECTS[mode] > 1:  # other mails with the old numbers
        writer.write(b"".join(listing(n, day=n + 3) for n in (1, 2, 3)) if upper.startswith(b"FETCH") else
                     b"".join(body(n, text=mail(n + 3)) for n in wanted(upper.split()[2])))
        writer.write(tag + b" OK done\r\n")
    elif upper.startswith(b"FETCH") and mode == "listno":
        writer.write(listing(1) + tag + b" NO [UNAVAILABLE] backend error\r\n")
    elif upper.startswith(b"FETCH") and mode == "size":
        writer.write(listing(1, size=5000000000) + listing(2) + listing(3) + tag + b" OK done\r\n")
    elif upper.startswith(b"UID FETCH") and mode in ("stop", "drip") and 1 in wanted(upper.split()[2]):
        await half_a_literal(writer, mode)
    elif upper.startswith(b"FETCH"):
        writer.write(listing(3) + listing(1) + (b"* 2 FETCH (FLAGS (\\Seen))\r\n" if mode == "news" else b"") + listing(2)
                     + tag + b" OK done\r\n")
    elif upper.startswith(b"UID FETCH"):
        text, hang_up = bodies(mode, tag, wanted(upper.split()[2]))
        writer.write(text)
        await writer.drain()
        return not hang_up
    elif upper.startswith(b"UID MOVE") and mode == "full":
        writer.write(tag + b" NO [OVERQUOTA] Mailbox is full\r\n")
    elif upper.startswith(b"UID MOVE") and mode == "backoff":
        writer.write(tag + b" NO Request is throttled\r\n")
    elif upper.startswith(b"LOGOUT"):
        writer.write(b"* BYE\r\n" + tag + b" OK bye\r\n")
        return False
    else:
        writer.write(tag + b" OK whatever\r\n")
    await writer.drain()
    return True


async def talk(mode, context, reader, writer):
    print(mode, file=LOG)
    if odd.mended():
        mode = "clear-good" if mode.startswith("clear-") else "good"
    writer.write(b"* PREAUTH welcome\r\n" if mode in ("clear-preauth", "preauth") else
                 b"* BYE too many\r\n" if mode == "busy" else b"* OK ready\r\n")
    while mode != "busy" and (line := await reader.readline()):
        tag, _, rest = line.strip().partition(b" ")
        if rest.upper().startswith(b"STARTTLS"):
            if mode == "clear-only":
                writer.write(tag + b" BAD no such command\r\n")
                continue
            writer.write(tag + b" OK go\r\n" + (b"* CAPABILITY IMAP4rev1 X-EVIL\r\n" if mode == "clear-inject" else b""))
            await writer.drain()
            await writer.start_tls(context)
        elif not await answer(mode, tag, rest, writer):
            break


odd.run(talk)
