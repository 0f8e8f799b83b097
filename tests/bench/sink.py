"""An SMTP server that takes everything and keeps nothing, as fast as Python goes; counts the mails."""
import asyncio, ssl, threading


class Session(asyncio.Protocol):
    def __init__(self, sink):
        self.sink, self.rest, self.in_data = sink, b"", False
        self.in_login = False

    def connection_made(self, transport):
        self.transport = transport
        transport.write(b"220 ready\r\n")

    def data_received(self, data):
        self.rest += data
        while True:
            if self.in_data:
                end = self.rest.find(b"\r\n.\r\n")
                if end < 0:
                    return
                self.rest, self.in_data = self.rest[end + 5:], False
                self.sink.mails += 1
                self.transport.write(b"250 taken\r\n")
                continue
            line, found, rest = self.rest.partition(b"\r\n")
            if not found:
                return
            self.rest = rest
            self.answer(line[:4].upper())

    def answer(self, verb):
        if self.in_login:  # whatever it says
            verb = b"PASS"
        self.in_data, self.in_login = verb == b"DATA", verb == b"AUTH"
        self.transport.write(
            b"354 go on\r\n" if self.in_data else b"250-sink\r\n250 AUTH PLAIN\r\n" if verb == b"EHLO" else
            b"334 \r\n" if self.in_login else b"235 in\r\n" if verb == b"PASS" else b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
        if verb == b"QUIT":
            self.transport.close()


class Sink:
    def __init__(self, folder):
        self.mails, self.ready = 0, threading.Event()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder + "/tls/good.pem", folder + "/tls/good.key")
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()
        self.ready.wait()

    async def serve(self):
        server = await asyncio.get_running_loop().create_server(
            lambda: Session(self), "127.0.0.1", 0, ssl=self.context)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await asyncio.Event().wait()
