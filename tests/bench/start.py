#!/usr/bin/python3
"""How long the programs take to begin, beside one that only opens an SQLite database (start.c); an idle pass with many games
beside one with few; what Lua's compiler makes of as many orders; odds."""
import os, sqlite3, statistics, subprocess
from many import multiply
from table import compare, figure, timed

GALLOPER, PEER, SCRATCH = os.environ["GALLOPER"], os.environ["BENCH_START"], os.environ["SCRATCH"]
MONDAY, ROUNDS, FEW, MANY = 1799658000, 101, 10, 10000


def run(*words):
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


def starts():
    sheet = SCRATCH + "/sheet"
    with open(sheet, "w") as f:
        f.write("Barrell's: advance 3; fire at Camerons\nWolfe's: hold\n")
    commands = {"galloper help": [GALLOPER, "help"],
                "galloper check": [GALLOPER, "check", "--battle", "falkirk", "--side", "E", sheet]}
    database = SCRATCH + "/peer.db"
    sqlite3.connect(database).execute("CREATE TABLE t (a)")
    for name, command in commands.items():
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(timed(lambda: run(*command)))
            theirs.append(timed(lambda: run(PEER, database)))
        compare(name, ours, theirs, 1e3, "ms", "a program that opens SQLite", "under 2")


def idle():
    homes = {}
    for count in FEW, MANY:
        home = homes[count] = "%s/idle%d" % (SCRATCH, count)
        now = ["--now", "@%d" % MONDAY, "-c", home + "/galloper.conf"]
        run(GALLOPER, "--now", "@%d" % MONDAY, "init", home)
        run(GALLOPER, *now, "game", "new", "game", "--battle", "falkirk", "--english", "a@x.example", "--jacobite",
            "b@x.example", "--referee", "c@x.example")
        run(GALLOPER, *now, "tick")
        multiply(home, count)
    later = ["--now", "@%d" % (MONDAY + 3600)]
    times = {count: [] for count in homes}
    for number in range(ROUNDS // 3):
        for count in homes:
            took = timed(lambda: run(GALLOPER, *later, "-c", homes[count] + "/galloper.conf", "tick"))
            if number > 0:  # the first one looks at every game once
                times[count].append(took)
    compare("an idle pass with %d games" % MANY, times[MANY], times[FEW], 1e3, "ms", "the same with %d" % FEW, "at most 1.2")


def lua():
    """Orders written as calls, beside an empty file: the second peer of reading order sheets."""
    ways = ["advance(%s, 3); fire(%s, nearest)", "move(%s, 2, northeast); face(%s, north)",
            "if within(%s, 4) then fire(%s) else hold() end", "wheel(%s, right, 30); advance(%s, 2)"]
    text = "\n".join(ways[i % 4] % ("ABCDEF"[i % 6], "ABCDEF"[i % 6]) for i in range(60000)) + "\n"
    path, took = SCRATCH + "/orders.lua", {}
    for words in text, "":
        with open(path, "w") as f:
            f.write(words)
        took[words] = statistics.median(timed(lambda: run("luac5.4", "-p", path)) for _ in range(9))
    figure("luac5.4 -p on as many orders as Lua", "%.2f" % (len(text) / (took[text] - took[""]) / 1e6), "MB/s")


def odds(runs=100000):
    case = SCRATCH + "/duel"
    with open(case, "w") as f:
        f.write("battle falkirk\nunit E A foot \"Barrell's\" 6 at 40,20 facing 0\n"
                "unit J a clan \"Camerons\" 6 at 40,25 facing 180\norders J\n  a: charge A\nturn\n")
    for workers in sorted({1, os.cpu_count()}):
        took = statistics.median(timed(lambda: run(GALLOPER, "odds", "--runs", str(runs), "--workers", str(workers), case))
                                 for _ in range(3))
        figure("odds in %d processes" % workers, "%.0f" % (runs / took), "duels a second")


starts()
idle()
lua()
odds()
