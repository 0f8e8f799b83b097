#!/usr/bin/python3
"""table.py CSV: puts rows of

    figure, value, unit, peer, the peer's value (of the same unit), ratio (value to peer), aim

from standard input into a table on standard output, and into the file CSV below a description of this machine. Beside the
helpers with which the Python figures write such rows."""
import csv, os, statistics, sys, time


def timed(do):
    began = time.monotonic()
    do()
    return time.monotonic() - began


def figure(name, value, unit, peer="", peer_value="", ratio="", aim=""):
    csv.writer(sys.stdout, lineterminator="\n").writerow([name, value, unit, peer, peer_value, ratio, aim])
    sys.stdout.flush()


def compare(name, ours, theirs, scale, unit, peer, aim):
    """Of measurements in seconds, taken in turn: the medians, and the median of the ratios of each round."""
    figure(name, "%.2f" % (statistics.median(ours) * scale), unit, peer, "%.2f" % (statistics.median(theirs) * scale),
           "%.2f" % statistics.median(a / b for a, b in zip(ours, theirs)), aim)


def machine():
    def first(path, word):
        with open(path) as f:
            return next((line.split(":", 1)[1].strip() for line in f if line.startswith(word)), "?")

    return "%s, %d processors, %s memory, Linux %s, %s; load %.1f" % (
        first("/proc/cpuinfo", "model name"), os.cpu_count(), first("/proc/meminfo", "MemTotal"), os.uname().release,
        time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), os.getloadavg()[0])


def main(path):
    titles = ["figure", "value", "unit", "peer", "peer's", "ratio", "aim"]
    print(machine())
    print("%-44s %10s %-16s %-34s %8s %6s  %s" % tuple(titles))
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f)
        out.writerow([machine()])
        out.writerow(titles)
        for row in csv.reader(sys.stdin):
            if len(row) != len(titles):
                sys.exit("a row of %d columns: %s" % (len(row), row))
            print("%-44s %10s %-16s %-34s %8s %6s  %s" % tuple(row), flush=True)
            out.writerow(row)


if __name__ == "__main__":
    main(sys.argv[1])
