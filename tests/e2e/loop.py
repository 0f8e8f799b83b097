#!/usr/bin/python3
"""See loop.test."""
import re
from school import School, has, text_of, until


def cycle(name, starttls, by_referee):
    """One turn, played by mail with the daemon at work: replies and new mails with a key."""
    s = School(name, starttls=starttls)
    s.new_game()
    s.start_daemon()
    welcome = s.await_mail("english", "welcome")
    s.await_mail("jacobite", "welcome")
    boss = s.await_mail("referee", "welcome")
    assert welcome["Auto-Submitted"] == "auto-generated" and s.address("game") in welcome["From"]

    s.send("english", "Wolfe's: advance 3\nBarrell's: move 4 north; fire at Camrons", reply_to=welcome)
    receipt = s.await_mail("english", "receipt")
    has(receipt, "Wolfe's (D): move 3 inches forward.", "R: move 4 north", "Camrons: did you mean Camerons (j)?",
        "|. . . . . . .D^ . . . . . . . . |")
    s.send("english", "ACCEPT", reply_to=receipt)
    has(s.await_mail("english", "receipt", 2), "R: move 4 north; fire j")
    s.send("jacobite", "Atholls (1st): advance 6\na: advance 5", key=s.key("jacobite"))
    has(s.await_mail("jacobite", "receipt"), "a: move 5 forward", "k: move 6 forward")
    guess = s.send("jacobite", "a: advance 1", key="heather-otter-42")  # guessed: not a key of this game
    s.send("english", "Camerons: advance 2", key=s.key("english"))  # not his to command
    has(s.await_mail("english", "receipt", 3), "No order could be made of this mail yet. Your earlier orders stand.",
        "Camerons (j) is the enemy's")
    has(s.await_mail("jacobite", "failure"))

    if by_referee:
        s.send("referee", "RESOLVE", reply_to=boss)
    else:
        s.send("english", "READY", reply_to=receipt)
        s.send("jacobite", "READY", key=s.key("jacobite"))
    english, jacobite, referee = (s.await_mail(who, "report") for who in ("english", "jacobite", "referee"))
    for report in english, jacobite, referee:
        has(report, "Wolfe's move 3\" to G7.", "Barrell's move 4\" to K8.", "Macdonalds (Keppoch) move 5\" to C5.",
            "WHERE EVERYBODY IS", "a Macdonalds (Keppoch): C5, facing south, 6 bases", "Turn 2 ends ")
        assert "1|. . . . . . pc. . ." in re.sub(" +", " ", text_of(report)), "the report has no map"
    has(english, "--- ORDERS %s turn 2 --- A Hamilton's (dragoons):" % name)
    has(jacobite, "--- ORDERS %s turn 2 --- a Macdonalds (Keppoch):" % name)
    s.send("english", "R: hold", reply_to=receipt)  # turn 1 is over
    done = 6 if by_referee else 7
    until("the mails filed", lambda: len(s.mails("game", folder="Processed")) == done)
    has(s.await_mail("english", "answer", 2 - by_referee), "Your mail came too late for turn 1, which is over")
    assert [m["Message-ID"] for m in s.mails("game", folder="Rejected")] == [guess["Message-ID"]]
    assert len(s.mails("english")) == (6 if by_referee else 7), "a mail too many"
    print(s.stop_daemon())
    s.kept_quiet()


cycle("tls", starttls=False, by_referee=True)
cycle("starttls", starttls=True, by_referee=False)
