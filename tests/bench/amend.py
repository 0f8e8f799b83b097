#!/usr/bin/python3
"""A turn resolved again with a referee's change, beside resolving it: whole armies that move, shoot and charge, held for
review, so that both end with one page for the referee; both with all that is stored and written; in processor time,
the least of four games each, since a disk and other work would blur so short a thing."""
import json, os, resource, statistics, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from table import figure  # noqa: E402

HOME, NOW, GAMES, TURNS = os.environ["SCRATCH"] + "/amend", "@1799658000", 4, 3
ORDERS = "all: advance 6; fire nearest; charge nearest"


def galloper(*words):
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([os.environ["GALLOPER"], "-c", HOME + "/galloper.conf", "--now", NOW, *words], check=True,
                          stdout=subprocess.PIPE)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime, done.stdout


def changes(game, turn):
    """Of each kind: a unit, a place, the same unit again, an event and a die if there was a volley, orders."""
    events = json.loads(galloper("report", game, "--turn", str(turn), "--json")[1])["events"]
    yield "SET R BASES 3 BECAUSE we counted wrong"
    yield "PLACE Ch AT A10 BECAUSE he was nowhere near"
    yield "SET R BASES 4 BECAUSE we counted wrong twice"
    for number, event in enumerate(events, 1):
        if event["kind"] == "volley":
            yield "AMEND %d VOID BECAUSE of the rain" % number
            yield "DIE %s = %d BECAUSE it fell off the table" % (event["dice"][0]["name"], 7 - event["dice"][0]["value"])
            break
    yield "ORDER E TURN %d: R: stand BECAUSE his mail was lost" % turn


def keep_least(seen, what, seconds):
    seen[what] = min(seconds, seen.get(what, seconds))


subprocess.run([os.environ["GALLOPER"], "--now", NOW, "init", HOME], check=True, stdout=subprocess.DEVNULL)
resolved, again = {}, {}
for number in range(GAMES):
    game = "g%d" % number
    galloper("game", "new", game, "--battle", "falkirk", "--english", "ann@a.example", "--jacobite", "ben@b.example",
             "--referee", "head@a.example", "--review", "--set", "turn-limit=0", "--set", "break=off")
    for turn in range(1, TURNS + 1):
        for side in "EJ":
            galloper("referee", game, "ORDER %s TURN %d: %s" % (side, turn, ORDERS))
        keep_least(resolved, turn, galloper("resolve", game, "--without-mailbox")[0])
        for kind, change in enumerate(changes(game, turn)):
            keep_least(again, (turn, kind), galloper("referee", game, change)[0])
        galloper("referee", game, "RELEASE")
resolve, amend = statistics.mean(resolved.values()), statistics.mean(again.values())
figure("a turn resolved again with a change", "%.1f" % (amend * 1000), "ms of processor", "resolving it", "%.1f" % (resolve * 1000),
       "%.2f" % (amend / resolve), "at most 1")
