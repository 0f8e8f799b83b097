"""Many games in one folder: with players whose first mails lie in its Maildirs, and order mails of theirs; or like the first."""
import glob, re, sqlite3


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


def multiply(home, count):
    """As many games as that, each like the first: what `game new` and its orders wrote, in one go."""
    changed = {"game": ("id = 1", {"id": "?1", "name": "name || ?1"}),
               "player": ("game = 1", {"id": "id + 3 * ?1", "game": "?1"}),
               "address": ("player <= 3", {"player": "player + 3 * ?1", "address": "?1 || address", "key": "key || ?1"}),
               "sheet": ("game = 1", {"game": "?1", "player": "player + 3 * ?1", "referee": "referee + 3 * ?1"})}
    with sqlite3.connect(home + "/galloper.db") as db:
        copies = []
        for table, (where, values) in changed.items():
            columns = [row[1] for row in db.execute("PRAGMA table_info(%s)" % table)]
            kept = [c for c in columns if c != "id" or c in values]
            copies.append("INSERT INTO %s (%s) SELECT %s FROM %s WHERE %s" %
                          (table, ", ".join(kept), ", ".join(values.get(c, c) for c in kept), table, where))
        for n in range(2, count + 1):
            for copy in copies:
                db.execute(copy, (n,))
