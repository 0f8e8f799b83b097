"""A TCP proxy that stops in the middle: for tests of what a program does when the other side is slow."""
import socket, threading


class Proxy:
    """Passes bytes on between one port of its own and another. Of each connection, what the client sends beyond `up` bytes,
    or what the server sends beyond `down`, or all that it sends once the client has sent more than `answer_after`, is held
    back until release(). `held` is set when that happens."""

    def __init__(self, port, up=None, down=None, answer_after=None):
        self.to, self.up, self.down, self.answer_after = port, up, down, answer_after
        self.held, self.open, self.lost = threading.Event(), threading.Event(), False
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def release(self):
        self.open.set()

    def cut(self):
        """What was held back never arrives; new connections pass."""
        self.lost = True
        self.open.set()

    def serve(self):
        while True:
            client, _ = self.socket.accept()
            server, sent = socket.create_connection(("127.0.0.1", self.to)), [0]
            threading.Thread(target=self.pump, args=(client, server, sent, True), daemon=True).start()
            threading.Thread(target=self.pump, args=(server, client, sent, False), daemon=True).start()

    def must_wait(self, passed, sent, upwards):
        if upwards:
            return self.up is not None and passed > self.up
        return (self.down is not None and passed > self.down) or (
            self.answer_after is not None and sent[0] > self.answer_after)

    def pump(self, source, target, sent, upwards):
        passed = 0
        try:
            while True:
                some = source.recv(2048)
                passed += len(some)
                if upwards:
                    sent[0] = passed
                if some and not self.open.is_set() and self.must_wait(passed, sent, upwards):
                    self.held.set()
                    self.open.wait()
                    if self.lost:
                        raise OSError("cut")
                if not some:
                    break
                target.sendall(some)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            for end in source, target:
                end.close()
