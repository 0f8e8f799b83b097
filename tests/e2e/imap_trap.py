#!/usr/bin/python3
"""imap_trap.py DIR KIND:PORT:TLS_PORT...: IMAP servers that no client may trust, on 127.0.0.1: on PORT with STARTTLS, on
TLS_PORT within TLS, with the certificate DIR/tls/KIND.pem. They let everybody in and have nothing. Each line that a client
sends is a line of DIR/imap.log, after KIND and "clear" or "protected": none after the handshake must ever stand there.
"""
import asyncio, signal, ssl, sys

DIR = sys.argv[1]
LOG = open(DIR + "/imap.log", "a", buffering=1)


async def talk(kind, context, reader, writer, protected):
    writer.write(b"* OK ready\r\n")
    while line := await reader.readline():
        words = line.decode("latin-1").split()
        print(kind, "protected" if protected else "clear", " ".join(words), file=LOG)
        name, verb = (words + ["", ""])[:2]
        verb = verb.upper()
        if verb == "CAPABILITY":
            writer.write(b"* CAPABILITY IMAP4rev1%s\r\n" % (b"" if protected else b" STARTTLS LOGINDISABLED"))
        writer.write(name.encode("latin-1") + b" OK done\r\n")
        await writer.drain()
        if verb == "STARTTLS" and not protected:
            await writer.start_tls(context)
            protected = True
        if verb == "LOGOUT":
            break




def serve(kind, context, within_tls):
    async def one(reader, writer):
        try:
            await talk(kind, context, reader, writer, within_tls)
        except (OSError, ssl.SSLError, asyncio.IncompleteReadError):
            pass  # the client hung up in the handshake, as it should
        finally:
            writer.close()

    return one


async def main():
    for words in sys.argv[2:]:
        kind, port, tls_port = words.split(":")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("%s/tls/%s.pem" % (DIR, kind), "%s/tls/%s.key" % (DIR, kind))
        await asyncio.start_server(serve(kind, context, False), "127.0.0.1", int(port))
        await asyncio.start_server(serve(kind, context, True), "127.0.0.1", int(tls_port), ssl=context)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


asyncio.run(main())
