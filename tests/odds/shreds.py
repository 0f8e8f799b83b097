"""What "Rip her to shreds" leaves to the dice, worked out by enumeration and compared with `galloper odds`.

Every case gives the Government the first half, so that what the Jacobites do in theirs happens once."""
from fractions import Fraction as F
from itertools import product

HEAD = "rules shreds\nset stand-fails 0\nset nerve-fails 0\ndie E initiative = 6\ndie J initiative = 1\ndie E points = 6\ndie J points = 6\n"


def spread(values):
    """{value: P} of equally likely values."""
    out = {}
    for v in values:
        out[v] = out.get(v, F(0)) + F(1, len(values))
    return out


def fire_die(sides, less=0, half=False):
    hits = [max(0, v - less) for v in range(1, sides + 1)]
    return spread([(h + 1) // 2 for h in hits] if half else hits)


def add(a, b):
    out = {}
    for (x, p), (y, q) in product(a.items(), b.items()):
        out[x + y] = out.get(x + y, F(0)) + p * q
    return out


def after_saves(hits, need):
    """Each hit is saved on `need` or more of a D6."""
    stays = F(need - 1, 6)
    one, out = {0: 1 - stays, 1: stays}, {}
    for n, p in hits.items():
        left = {0: F(1)}
        for _ in range(n):
            left = add(left, one)
        for k, q in left.items():
            out[k] = out.get(k, F(0)) + p * q
    return out


def volley(sides, less, dice, need):
    hits = {0: F(1)}
    for _ in range(dice):
        hits = add(hits, fire_die(sides, less))
    return after_saves(hits, need)


def pair(a, b, bonus_a, bonus_b):
    """P(a wins), P(tie), P(b wins)."""
    throws = [(x + bonus_a, y + bonus_b) for x in range(1, a + 1) for y in range(1, b + 1)]
    n = len(throws)
    return F(sum(x > y for x, y in throws), n), F(sum(x == y for x, y in throws), n), F(sum(x < y for x, y in throws), n)


# Published with the rules' exact tables, to six places: what the enumeration must come to.
assert abs(float(sum(p for n, p in volley(8, 0, 3, 6).items() if n >= 10)) - 0.676400) < 1e-6
assert abs(float(sum(p for n, p in volley(8, 3, 3, 5).items() if n >= 3)) - 0.669529) < 1e-6
assert abs(float(sum(p for n, p in volley(6, 0, 2, 6).items() if n >= 8)) - 0.234213) < 1e-6
assert abs(float(after_saves(fire_die(6, half=True), 6)[1]) - 0.393519) < 1e-6
assert pair(8, 6, 1, 0) == (F(11, 16), F(5, 48), F(5, 24))
assert pair(6, 6, 1, 0) == (F(7, 12), F(5, 36), F(5, 18))
assert pair(8, 8, 0, 0) == (F(7, 16), F(1, 8), F(7, 16))


def figures_left(compare, name, rows, unit, begun, losses):
    for n in range(begun, max(begun - 25, 0), -1):
        if float(losses.get(begun - n, 0)) > 0:
            compare(name, rows, ("expect", str(n)), float(losses[begun - n]))


def shot(odds, compare, name, setup, target, begun, losses):
    """The target's figures after one volley: an expectation a line, one for each number."""
    text = HEAD + setup + "turn\n"
    first = text.count("\n") + 3  # the case and battle lines stand above
    numbers = [n for n in range(begun, 0, -1) if losses.get(begun - n)]
    rows = odds(name, text + "".join(f"expect {target} figures {n}\n" for n in numbers))
    for i, n in enumerate(numbers):
        compare(name, rows, ("expect", str(first + i)), float(losses[begun - n]))


def fire(odds, compare):
    foot = 'unit J b foot "Picquets" 60/3 at 40,{y} facing 180\norders J\n  b: hold fire\n'
    clan = 'unit J b clan "Camerons" 60/3 at 40,{y} facing 180\norders J\n  b: hold fire\n'
    kinds = (("government", "E A foot", 8, 3), ("highland", "E A clan", 6, 2))
    for kind, unit, sides, less in kinds:
        for bases in (1, 3):
            for where, y, off in (("close", 25, 0), ("long", 30, less)):
                for cover, target, need in (("open", foot, 6), ("cover", clan, 5)):
                    shot(odds, compare, f"{kind} {where}, {bases} bases, {cover}",
                         f'unit {unit} "Barrell\'s" {8 * bases}/{bases} of 48/6 at 40,20 facing 0\n' + target.format(y=y),
                         "b", 60, volley(sides, off, bases, need))
    for crew, half in ((4, False), (2, True)):
        for cover, target, need in (("open", foot, 6), ("cover", clan, 5)):
            shot(odds, compare, f"gun, crew {crew}, {cover}",
                 f'unit E 1 gun "Gun" {crew}/1 of 4/1 at 40,5 facing 0\nunit E A foot "Royals" 24/3 at 80,5 facing 0\n'
                 + target.format(y=30), "b", 60, after_saves(fire_die(6, half=half), need))


def melee(odds, compare):
    """One pair: the charger comes from behind, so nobody fires; its bonus is the rear's, the other's a general's."""
    for a, kind_a in ((8, "clan"), (6, "foot")):
        for b, kind_b in ((8, "clan"), (6, "foot")):
            for x, y in ((0, 0), (2, 0), (0, 1), (1, 3)):
                if (a, b) == (6, 8):
                    continue
                wins, tie, loses = pair(a, b, x, y)
                loss = {0: F(2, 6), 1: F(1, 6), 2: F(1, 6), 3: F(1, 6), 4: F(1, 6)}
                text = HEAD + (f'set highland-charge-bonus 0\nset flank-bonus {x}\nset general-bonus {y}\n'
                               f'unit E A {kind_b} "Royals" 8/1 of 8/1 at 40,30 facing 0\n'
                               f'unit J a {kind_a} "Camerons" 8/1 of 8/1 at 40,20.5 facing 0\n'
                               'commander E Ha "Hawley" at 44,30 facing 0\n'
                               'orders E\n  A: hold fire\norders J\n  a: charge A; hold fire\ndie a move = 6\nturn\n')
                first = text.count("\n") + 3
                rows = odds("pair", text + "".join(f"expect {u} figures {8 - n}\n" for u in "Aa" for n in (1, 2, 3, 4)))
                for i, (p, n) in enumerate((p, n) for p in (wins, loses) for n in (1, 2, 3, 4)):
                    compare(f"pair D{a}+{x} D{b}+{y}", rows, ("expect", str(first + i)), float(p * loss[n]))


def moves(odds, compare):
    """How often a march comes as far as its throw, and a charge as far as a gun."""
    for kind, extra, begun, throws in (
            ("foot", "", 3, [(v,) for v in range(1, 7)]), ("clan", "", 3, [(v,) for v in range(1, 9)]),
            ("clan", " in column", 6, [(v,) for v in range(1, 9)]), ("horse", "", 0, list(product(range(1, 7), repeat=2)))):
        totals = spread([begun + sum(t) for t in throws])
        text = HEAD + (f'unit J a {kind} "Camerons" 24/3 at 40,50 facing 180{extra}\n'
                       'unit E A foot "Royals" 24/3 at 80,5 facing 0\norders J\n  a: advance; hold fire\nturn\n')
        first = text.count("\n") + 3
        rows = odds("march", text + "".join(f"expect a at 40,{50 - n} facing 180\n" for n in sorted(totals)))
        for i, n in enumerate(sorted(totals)):
            compare(f"march of {kind}{extra}", rows, ("expect", str(first + i)), float(totals[n]))
    for kind, begun, throws, far in (("foot", 6, [(v,) for v in range(1, 7)], 9), ("clan", 6, [(v,) for v in range(1, 9)], 11),
                                     ("horse", 4, list(product(range(1, 7), repeat=2)), 12)):
        reach = sum(p for n, p in spread([begun + sum(t) for t in throws]).items() if n >= far)
        text = HEAD + (f'unit J a {kind} "Camerons" 24/3 at 40,50 facing 180\nunit E 1 gun "Gun" 4/1 at 40,{50 - far} facing 0\n'
                       'unit E A foot "Royals" 24/3 at 80,5 facing 0\norders E\n  gun 1: hold fire\n'
                       'orders J\n  a: charge gun 1; hold fire\nturn\nexpect 1 destroyed\n')
        compare(f"charge of {kind}, {far}", odds("charge", text), ("expect", str(text.count("\n") + 2)), float(reach))


def tests(odds, compare):
    def one(name, text, want):
        compare(name, odds("test", text), ("expect", str(text.count("\n") + 2)), want)

    field = 'unit E A foot "Royals" 24/3 at 40,20 facing 0\nunit J a clan "Camerons" 24/3 at 40,32 facing 180\n' \
            'orders E\n  A: hold fire\norders J\n  a: charge A; hold fire\ndie a move = 1\nturn\n'
    one("nerve", HEAD.replace("set nerve-fails 0\n", "") + field + 'expect event "they stay where they are"\n', 1 / 6)
    one("stand", HEAD.replace("set stand-fails 0\n", "") + field + "expect A routing\n", 1 / 6)
    one("tie", HEAD.replace("die E initiative = 6\ndie J initiative = 1\n", "") + field.replace("die a move = 1\n", "")
        + "expect ruling RH1\n", 1 / 6)
    one("panic", HEAD + 'unit E A foot "Royals" 24/3 at 40,20 facing 0\nunit J a foot "Picquets" 24/3 at 40,25 facing 180\n'
        'unit J b foot "Scots" 24/3 at 48,25 facing 180\norders J\n  a, b: hold fire\norders E\n  A: fire at a\n'
        'die A fire = 8 8 8\nset save-open 7\nset rout-percent 100\nturn\nexpect b routing\n'.replace("8 8 8", "4 4 4"), 1 / 3)
    one("rally", HEAD + 'unit E A foot "Royals" 12/2 of 24/3 at 40,20 facing 180 routing\ncommander E Hu "Huske" with A\n'
        'unit J a clan "Camerons" 24/3 at 40,55 facing 180\nturn\nexpect A not routing\n', 1 / 3)
    one("halt", HEAD + 'unit E A horse "Cobham\'s" 12/2 at 40,30 facing 0\nunit J a foot "Picquets" 24/3 at 40,30 facing 180\n'
        'locked A a\norders E\n  A: charge nearest; halt\norders J\n  a: hold fire\ndie A pair = 6 6 3 3\ndie a pair = 1 1 3 3\n'
        'die A loss = 3 3\nturn\nexpect event "they halt"\n', 1 / 2)
    for n in (1, 6):
        one("points", HEAD.replace("die J points = 6\n", "") + field.replace("die a move = 1\n", "")
            + f'expect event "Jacobite command points" "dice, {n}"\n', 1 / 6)


def check(odds, compare):
    fire(odds, compare)
    melee(odds, compare)
    moves(odds, compare)
    tests(odds, compare)
