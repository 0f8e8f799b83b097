"""Servers with one fault each, on 127.0.0.1: what imap_odd.py and ../hostile/smtp_odd.py have in common. Both are started as
PROGRAM DIR MODE:PORT... and serve until they are told to end."""
import asyncio, os, signal, ssl, sys

DIR = sys.argv[1]


class Gone(Exception):
    """The server hangs up."""


def mended():
    return os.path.exists(DIR + "/mended")


def serve(talk, mode, context):
    async def one(reader, writer):
        try:
            await talk(mode, context, reader, writer)
        except (OSError, ssl.SSLError, asyncio.IncompleteReadError, Gone):
            pass
        finally:
            writer.close()

    return one


async def until_told(talk):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(DIR + "/tls/good.pem", DIR + "/tls/good.key")
    for words in sys.argv[2:]:
        mode, port = words.split(":")
        await asyncio.start_server(serve(talk, mode, context), "127.0.0.1", int(port),
                                   ssl=None if mode.startswith("clear-") else context)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()
    for task in asyncio.all_tasks():
        if task is not asyncio.current_task():
            task.cancel()


def run(talk):
    """`talk(mode, context, reader, writer)` is one connection; `context` is for STARTTLS, which a mode "clear-..." offers."""
    asyncio.run(until_told(talk))
