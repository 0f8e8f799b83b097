#!/usr/bin/python3
"""A turn resolved again with a referee's change, beside resolving it: whole armies that move, shoot and charge, both with
all that is stored and written; in processor time, since a disk and other work would blur so short a thing."""
import os, resource, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from table import figure  # noqa: E402

HOME, NOW, TURNS = os.environ["SCRATCH"] + "/amend", "@1799658000", 3
ORDERS = "all: advance 6; fire nearest; charge nearest"


def galloper(*words):
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([os.environ["GALLOPER"], "-c", HOME + "/galloper.conf", "--now", NOW, *words], check=True,
                   stdout=subprocess.DEVNULL)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


subprocess.run([os.environ["GALLOPER"], "--now", NOW, "init", HOME], check=True, stdout=subprocess.DEVNULL)
galloper("game", "new", "g1", "--battle", "falkirk", "--english", "ann@a.example", "--jacobite", "ben@b.example",
         "--referee", "head@a.example", "--review", "--set", "turn-limit=0")
resolved, again = [], []
for turn in range(1, TURNS + 1):
    for side in "EJ":
        galloper("referee", "g1", "ORDER %s TURN %d: %s" % (side, turn, ORDERS))
    resolved.append(galloper("resolve", "g1"))
    for bases in 3, 4, 5:
        again.append(galloper("referee", "g1", "SET R BASES %d BECAUSE we counted wrong" % bases))
    galloper("referee", "g1", "RELEASE")
resolve, amend = sorted(resolved)[TURNS // 2], sorted(again)[len(again) // 2]
figure("a turn resolved again with a change", "%.1f" % (amend * 1000), "ms of processor", "resolving it", "%.1f" % (resolve * 1000),
       "%.2f" % (amend / resolve), "at most 1")
