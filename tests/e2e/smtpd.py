#!/usr/bin/python3
"""smtpd.py DIR LMTP_PORT KIND:PORT:TLS_PORT...: an SMTP server for tests, on 127.0.0.1.

Each KIND listens on PORT with STARTTLS and on TLS_PORT within TLS, with the certificate DIR/tls/KIND.pem; the kind
"clear" offers no STARTTLS (and TLS_PORT 0 is none). AUTH PLAIN and LOGIN: any user with the password "secret"; the user
"busy" is told to come back later. XOAUTH2: any user with the token "goodtoken"; a bad one gets Google's challenge
first. An accepted mail goes to Dovecot's LMTP within DATA, so 250 means that it lies in
its Maildir. A recipient's plus tag asks for a fault:

    rcpt450 rcpt452 rcpt550 rcpt571   the answer to RCPT
    data451 data552 data554           the answer after the dot
    hang                              no answer after the dot for a minute
    drop                              hangs up after the dot, nothing delivered
    dropafter                         hangs up after the dot, delivered
    bye                               delivered and answered, then hangs up

and a sender's: from451 from550 (MAIL FROM). Each event is a line of DIR/smtp.log: KIND EVENT WORDS.
"""
import asyncio, base64, signal, smtplib, ssl, sys
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

DIR, LMTP_PORT = sys.argv[1], int(sys.argv[2])
LOG = open(DIR + "/smtp.log", "a", buffering=1)
REPLIES = {
    "from451": "451 4.7.1 slow down", "from550": "550 5.1.8 sender unknown",
    "rcpt450": "450 4.2.0 try later", "rcpt452": "452 4.5.3 too many recipients", "rcpt550": "550 5.1.1 no such user",
    "rcpt571": "550 5.7.1 not allowed", "data451": "451 4.3.0 try later", "data552": "552 5.3.4 too big",
    "data554": "554 5.7.1 taken for spam",
}


GOOD_TOKEN = object()


class Server(SMTP):
    async def auth_XOAUTH2(self, _, words):
        said = base64.b64decode(words[1]) if len(words) > 1 else await self.challenge_auth("", encode_to_b64=False)
        if said.endswith(b"auth=Bearer goodtoken\x01\x01"):
            return self._authenticate("XOAUTH2", GOOD_TOKEN)
        await self.challenge_auth(b'{"status":"400","schemes":"Bearer"}')
        return self._authenticate("XOAUTH2", None)


def tag(address):
    return address.rpartition("@")[0].partition("+")[2]


def deliver(envelope):
    with smtplib.LMTP("127.0.0.1", LMTP_PORT) as lmtp:
        lmtp.sendmail(envelope.mail_from or "", envelope.rcpt_tos, envelope.content)


class Handler:
    def __init__(self, kind):
        self.kind = kind

    def log(self, *words):
        print(self.kind, *words, file=LOG)

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.log("EHLO", "protected" if session.ssl else "clear")
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if tag(address).startswith("from"):
            return REPLIES[tag(address)]
        envelope.mail_from = address
        return "250 2.1.0 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.log("RCPT", address)
        if tag(address).startswith("rcpt"):
            return REPLIES[tag(address)]
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        fault = tag(envelope.rcpt_tos[0])
        self.log("DATA", len(envelope.content), *envelope.rcpt_tos)
        if fault.startswith("data"):
            return REPLIES[fault]
        if fault == "hang":
            await asyncio.sleep(60)
        if fault != "drop":
            try:
                await asyncio.get_running_loop().run_in_executor(None, deliver, envelope)
            except smtplib.SMTPRecipientsRefused as e:
                code, text = next(iter(e.recipients.values()))
                return "%d %s" % (code, text.decode().split("\n")[0])
            except Exception as e:
                self.log("LMTP", repr(e))
                return "451 4.3.0 delivery failed"
        if fault in ("drop", "dropafter"):
            server.transport.abort()
        if fault == "bye":
            asyncio.get_running_loop().call_later(0.2, server.transport.close)
        return "250 2.0.0 delivered"

    def authenticate(self, server, session, envelope, mechanism, data):
        good = data is GOOD_TOKEN or isinstance(data, LoginPassword) and data.password == b"secret"
        self.log("AUTH", mechanism, "good" if good else "bad")
        if isinstance(data, LoginPassword) and data.login == b"busy":
            return AuthResult(success=False, handled=False, message="454 4.7.0 Temporary authentication failure")
        return AuthResult(success=good, handled=good)


def factory(kind, context, within_tls):
    handler = Handler(kind)
    return lambda: Server(
        handler, hostname="mail.test", ident="test", tls_context=None if within_tls else context,
        authenticator=handler.authenticate, auth_require_tls=not within_tls and context is not None,
        data_size_limit=1 << 20, timeout=120, loop=asyncio.get_running_loop())


async def main():
    loop, servers = asyncio.get_running_loop(), []
    for words in sys.argv[3:]:
        kind, port, tls_port = words.split(":")
        context = None
        if kind != "clear":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain("%s/tls/%s.pem" % (DIR, kind), "%s/tls/%s.key" % (DIR, kind))
        servers.append(await loop.create_server(factory(kind, context, False), "127.0.0.1", int(port)))
        if int(tls_port):
            servers.append(await loop.create_server(
                factory(kind, context, True), "127.0.0.1", int(tls_port), ssl=context))
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
    for server in servers:
        server.close()
    # Sleepers of "hang" must not keep us.
    for task in asyncio.all_tasks():
        if task is not asyncio.current_task():
            task.cancel()


asyncio.run(main())
