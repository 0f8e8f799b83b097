"""Exact odds of a charge and the melee that follows, to the finish, by enumeration: no dice are thrown and nothing of
Galloper is used. Rulings are cited from doc/rulebook.md.

A duel is one charger against one unit that stands. Round by round both lose what the other hits (FP68); a unit left
with one base loses it (FP43); whoever has nothing left is beaten. The chance that it never ends is nought, so what is
still open after ROUNDS rounds is left out (below 1e-12)."""
from fractions import Fraction
from functools import lru_cache

ROUNDS = 400


@lru_cache(None)
def hits(dice, need):
    """P(n hits) of so many dice that hit on `need` or more."""
    if dice == 0:
        return [Fraction(1)]
    p, less = Fraction(max(0, 7 - need), 6), hits(dice - 1, need)
    return [(less[n] if n < len(less) else 0) * (1 - p) + (less[n - 1] * p if n > 0 else 0) for n in range(dice + 1)]


def mixed(parts):
    """P(n) of the sum of several independent counts."""
    total = [Fraction(1)]
    for part in parts:
        out = [Fraction(0)] * (len(total) + len(part) - 1)
        for i, a in enumerate(total):
            for k, b in enumerate(part):
                out[i + k] += a * b
        total = out
    return total


def left(bases, hit):
    rest = bases - hit
    return rest if hit == 0 or rest > 1 else 0


def average(choices):
    """A count whose make depends on a die: the mean over equally likely cases."""
    size = max(len(c) for c in choices)
    return [sum((c[n] if n < len(c) else 0) for c in choices) / Fraction(len(choices)) for n in range(size)]


def fire_always(bases, most, wet):
    """FP36, FP37: all fire, hits on 5-6; in the rain a die halved and rounded up says how many may."""
    eligible = min(bases, most)
    if not wet:
        return hits(eligible, 5)
    return average([hits(min((die + 1) // 2, eligible), 5) for die in range(1, 7)])


def fire_tested(bases, most, modifier):
    """FP61: a die below the bases hits on 5-6, equal on 6, above not at all."""
    choices = []
    for die in range(1, 7):
        total, eligible = die + modifier, min(bases, most)
        choices.append(hits(eligible, 5) if total < bases else hits(eligible, 6) if total == bases else [Fraction(1)])
    return average(choices)


def duel(charger, stander, fire, first, later, commander=False):
    """The chances of how it ends: {(charger's bases, stander's bases, commander lives): p}.

    fire(bases): P(n hits) of the fire at the charger. `first` and `later` are (charger's need, stander's need, most
    dice of the stander) of the first round and of those after it. With `commander` one is with the stander: a die that
    hits on 4-6 in every round and one for his life after it (FP72, FP73)."""
    open_, ended = {}, {}

    def put(where, a, b, lives, p):
        target = ended if a == 0 or b == 0 else where
        target[a, b, lives] = target.get((a, b, lives), 0) + p

    for n, p in enumerate(fire(stander)):
        put(open_, left(charger, n), stander, commander, p)
    for turn in range(ROUNDS):
        need_a, need_b, most = first if turn == 0 else later
        now, open_ = open_, {}
        for (a, b, lives), p in now.items():
            by_a = hits(a, need_a)
            by_b = mixed([hits(min(b, most), need_b)] + ([hits(1, 4)] if lives else []))
            for i, pa in enumerate(by_a):
                for k, pb in enumerate(by_b):
                    q = p * pa * pb
                    if not lives:
                        put(open_, left(a, k), left(b, i), False, float(q))
                    else:
                        put(open_, left(a, k), left(b, i), True, float(q * 5 / 6))
                        put(open_, left(a, k), left(b, i), False, float(q / 6))
        if sum(open_.values()) < 1e-12:
            return ended
    raise ArithmeticError("the duel does not end")


def bases_of(ended, which):
    """P(bases left) of the charger (0) or the stander (1)."""
    out = {}
    for key, p in ended.items():
        out[key[which]] = out.get(key[which], 0.0) + float(p)
    return out
