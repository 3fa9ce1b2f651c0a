#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a probe that nobody traces costs: instructions for each pass of a loop, counted by callgrind, so that a noisy
machine does not matter. Prints one table; the exit status is 1 if a probe costs more than one instruction or a test for
"enabled" more than two.

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
GOALS = {"probe": 1, "enabled": 2}
BODIES = {
    "bare": "",
    "probe": "BENCH_STEP (i, values, sum);",
    "enabled": "if (BENCH_STEP_ENABLED ()) return i;",
}
PROGRAM = """
#include "bench.h"
__attribute__ ((noinline)) static long loop(long n, long *values)
{
	long sum = 0, i;
	for (i = 0; i < n; i++) {
		sum += values[i & 7];
		__asm__ volatile ("" : : "r" (sum));
		%s
	}
	return sum;
}
int main(void) { long values[8] = {1, 2, 3}; return loop(%d, values) == 1; }
"""


def instructions(folder, compiler, body):
    """Instructions of the whole program under callgrind."""
    (folder / "bench.c").write_text(PROGRAM % (body, PASSES))
    subprocess.run([compiler, "-O2", "bench.c", "-o", "bench"], cwd=folder, check=True)
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
        (folder / "bench.d").write_text("provider bench { probe step(long i, long *values, long sum); };\n")
        subprocess.run([dtrace, "-h", "-s", "bench.d"], cwd=folder, check=True)
        for compiler in filter(shutil.which, ("gcc", "clang-19")):
            bare = instructions(folder, compiler, BODIES["bare"])
            for what, goal in GOALS.items():
                # What starts and ends a program differs by a few instructions from run to run.
                more = round((instructions(folder, compiler, BODIES[what]) - bare) / PASSES, 2)
                print(f"{compiler:<12} {what:<10} {more:>20} {goal:>5}")
                status |= more > goal
    return status


if __name__ == "__main__":
    sys.exit(main())
