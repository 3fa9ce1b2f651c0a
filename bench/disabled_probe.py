#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a probe that nobody traces costs: instructions for each pass of a loop, counted by callgrind, so that a noisy
machine does not matter. Prints one table; the exit status is 1 if a row is above its goal.

The loop keeps a variable of the program in a register. A probe that may pass a pointer makes gcc load that variable in
each pass (row "pointer"); a probe of small numbers does not (row "number"), and none does in a program that defines
DTRACE_PROBES_NO_POINTERS (row "opt-out"). clang loads it after any asm statement.

usage: bench/disabled_probe.py [--dtrace DTRACE]
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PASSES = 100_000
# Row, what the loop does, options, how many instructions more than a loop without a probe with gcc and with clang.
ROWS = (
    ("number", "BENCH_NUMBER ((int) i);", [], (1, 1)),
    ("pointer", "BENCH_POINTER (values);", [], (2, 2)),
    ("opt-out", "BENCH_POINTER (values);", ["-DDTRACE_PROBES_NO_POINTERS"], (1, 2)),
    ("enabled", "if (BENCH_POINTER_ENABLED ()) return i;", [], (2, 2)),
)
PROGRAM = """
#include "bench.h"
long *values;
__attribute__ ((noinline)) static long loop(long n)
{
	long sum = 0, i;
	for (i = 0; i < n; i++) {
		sum += values[i & 7];
		__asm__ volatile ("" : : "r" (sum));
		%s
	}
	return sum;
}
int main(void) { long few[8] = {1, 2, 3}; values = few; return loop(%d) == 1; }
"""


def instructions(folder, compiler, body, options=()):
    """Instructions of the whole program under callgrind."""
    (folder / "bench.c").write_text(PROGRAM % (body, PASSES))
    subprocess.run([compiler, "-O2", "-fno-tree-vectorize", *options, "bench.c", "-o", "bench"], cwd=folder, check=True)
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./bench"], cwd=folder,
                          capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--dtrace", type=Path, default=Path(__file__).parents[1] / "build/release/bin/dtrace")
    dtrace = options.parse_args().dtrace.resolve()
    if not shutil.which("valgrind"):
        print("valgrind is not installed")
        return 77
    status = 0
    print(f"{'compiler':<12} {'what':<10} {'instructions a pass':>20} {'goal':>5}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bench.d").write_text("provider bench { probe number(int i); probe pointer(long *values); };\n")
        subprocess.run([dtrace, "-h", "-s", "bench.d"], cwd=folder, check=True)
        for number, compiler in enumerate(("gcc", "clang-19")):
            if not shutil.which(compiler):
                continue
            bare = instructions(folder, compiler, "")
            for what, body, options, goals in ROWS:
                # What starts and ends a program differs by a few instructions from run to run.
                more = round((instructions(folder, compiler, body, options) - bare) / PASSES, 2)
                print(f"{compiler:<12} {what:<10} {more:>20} {goals[number]:>5}")
                status |= more > goals[number]
    return status


if __name__ == "__main__":
    sys.exit(main())
