"""Many games in one folder, whose players' first mails lie in its Maildirs, and order mails of theirs."""
import glob, re


def player(game, side="english"):
    return "%s%d@school.test" % (side, game)


def begin_games(school, count, now=None):
    for game in range(count):
        school.galloper("game", "new", "game%d" % game, "--battle", "falkirk", "--english", player(game), "--jacobite",
                        player(game, "jacobite"), "--referee", "referee@school.test", now=now)
    school.tick(now=now)


def order_mail(school, game, number, side="english", more=""):
    [welcome] = glob.glob("%s/mail/out/%s/*/*" % (school.folder, player(game, side)))
    with open(welcome, encoding="utf-8") as f:
        key = re.search(r"(?m)^\s+KEY (\S+)", f.read()).group(1)
    orders = ("Wolfe's: advance %d\nBarrell's: move 4 north; fire at Camerons" if side == "english" else
              "Camerons: advance %d\nAtholls (1st): move 4 south; fire at Barrell's") % (number % 4 + 1)
    mail = school.write("english", "GAME game%d\nKEY %s\n\n%s\n%s" % (game, key, orders, more))
    mail.replace_header("From", player(game, side))
    return mail.as_bytes()
