#!/usr/bin/python3
"""See names.test: here the only network is a loopback of our own."""
import fcntl, os, socket, struct, subprocess, time

SCRATCH, SECONDS = os.environ["SCRATCH"], 2


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        SIOCSIFFLAGS, IFF_UP = 0x8914, 1
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def put_over(path, text):
    with open(SCRATCH + "/" + os.path.basename(path), "w") as f:
        f.write(text)
    subprocess.run(["mount", "--bind", f.name, os.path.realpath(path)], check=True)


def galloper(*words, expect):
    began = time.monotonic()
    done = subprocess.run([os.environ["GALLOPER"], *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == expect, "%s: %d:\n%s" % (words, done.returncode, done.stdout)
    return done.stdout, time.monotonic() - began


loopback_up()
silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
silent.bind(("127.0.0.1", 53))
put_over("/etc/resolv.conf", "nameserver 127.0.0.1\n")
put_over("/etc/nsswitch.conf", "hosts: files dns\n")
home = SCRATCH + "/game"
galloper("init", home, expect=0)
with open(home + "/galloper.conf", "a") as f:
    f.write("incoming imap\nimap-host mail.school.test\nimap-user game\nimap-password x\nnetwork-seconds %d\n" % SECONDS)
os.chmod(home + "/galloper.conf", 0o600)
said, took = galloper("-c", home + "/galloper.conf", "tick", expect=3)
assert "mail.school.test" in said and "name" in said, said
assert SECONDS - 1 < took < SECONDS + 3, "the look-up took %.1f seconds" % took
print("given up after %.1f seconds" % took)
