#!/usr/bin/python3
"""See shreds.test. Both sides answer the last report with orders and READY, so each turn is played at once."""
from school import School, has

TURNS = 12
ORDERS = {
    "english": ["priority D, E\nD, E: advance 3; fire at nearest\nHawley: move 6 north",
                "all horse: charge nearest; halt", "all: if out of points then hold, otherwise charge nearest",
                "G, H: fire at nearest; retire 2"],
    "jacobite": ["priority b, c\na to e: advance; charge nearest\nk: form column; advance 12",
                 "all: charge nearest; advance", "f to j: advance; charge nearest", "Murray: join a"],
}

s = School("shreds")
s.new_game("--rules", "shreds", "--set", "break=off")
s.start_daemon()
last = {who: s.await_mail(who, "welcome") for who in ORDERS}
has(last["english"], "24 figures on 3 bases", "a D6. So many units may move this turn")
for turn in range(1, TURNS + 1):
    for who, orders in ORDERS.items():
        s.send(who, orders[(turn - 1) % 4] + "\n\nREADY", reply_to=last[who])
    if turn == TURNS:
        break
    last = {who: s.await_mail(who, "report", turn) for who in ORDERS}
    has(last["english"], "First move: English", "Jacobite command points", "Turn %d ends" % (turn + 1))
has(s.await_mail("english", "receipt"), "Command points go first to Wolfe's (D), then Cholmondeley's (E).",
    "get a command point on 2 or more on D6: 83 in 100")
for who in ORDERS:
    has(s.await_mail(who, "debrief"), "THE BATTLE TURN BY TURN", "Figures lost", "Turn %d" % TURNS)
print(s.stop_daemon())
has_replayed = s.galloper("verify", "shreds")
assert "all %d turns replay to the same" % TURNS in has_replayed, has_replayed
s.kept_quiet()
