#!/usr/bin/python3
"""See disk.test."""
import os
from school import School, has, until


class FullDisk:
    """All of the disk taken but for so many bytes, as long as the block lasts."""

    def __init__(self, school, left):
        self.path, self.left = school.folder + "/filler", left

    def __enter__(self):
        disk = os.statvfs(os.path.dirname(self.path))
        with open(self.path, "wb") as f:
            f.write(bytes(max(0, disk.f_bavail * disk.f_frsize - self.left)))

    def __exit__(self, *_):
        os.unlink(self.path)


def says_so(said):
    assert "the disk is full" in said and "free some space" in said, said


s = School("disk")
s.new_game()
s.tick()
welcome = s.await_mail("english", "welcome")
for number in range(3):
    s.send("english", "Wolfe's: advance %d\n%s" % (number + 1, (" " * 70 + "\n") * 300), reply_to=welcome)
for left in 0, 100 << 10, 180 << 10:
    with FullDisk(s, left):
        says_so(s.tick(expect=3))
        assert len(s.mails("game")) == 3 and len(s.mails("english", "receipt")) == 0
s.tick()
s.tick()
assert len(s.mails("english", "receipt")) == 3 and not s.mails("game")

with FullDisk(s, 40 << 10):
    s.send("english", "Wolfe's: advance 6\n%s" % ((" " * 70 + "\n") * 1000), reply_to=welcome)
    s.start_daemon()
    until("the daemon says what is wrong", lambda: "the disk is full" in open(s.log.name).read())
has(s.await_mail("english", "receipt", 4), "D: move 6 forward")
until("the mail filed", lambda: not s.mails("game"))
says_so(s.stop_daemon())
assert len(s.mails("english")) == 5, "a mail came twice"
s.kept_quiet()
print("the disk was full, and nothing was lost")
