# SPDX-License-Identifier: Apache-2.0
# compare.py DTRACE INTERPRETER FOLDER: the Python functions on the user stacks of report.py are those that it says itself.
import json
import os
import subprocess
import sys

dtrace, interpreter, folder = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
PROBES = "syscall::sched_yield:entry, syscall::clock_nanosleep:entry /pid == $target/ { ustack(200); }"


def run(*options):
    said = f"{folder}/said"
    ran = subprocess.run([dtrace, "-q", "-x", "format=json", "-x", "ustackframes=200", *options, "-n", PROBES, "-c",
                          f"{interpreter} -B {here}/report.py {said}"], stdout=subprocess.PIPE, text=True)
    stacks = []
    for line in ran.stdout.splitlines():
        row = json.loads(line)
        if row["type"] == "row":
            stacks += [(row["time_ns"], item["value"]) for item in row["data"] if isinstance(item.get("value"), list)]
        if row["type"] == "losses" and row.get("losses"):
            print("lost:", row["losses"])
    with open(said) as file:
        stacks.sort(key=lambda stack: stack[0])
        return [stack for _, stack in stacks], [line.rstrip("\n").split("|") for line in file]


def name(frame):
    return frame.get("symbol", frame.get("cut"))


stacks, said = run()
wrong = cut = 0
if len(stacks) != len(said):
    print(f"{len(stacks)} stacks of {len(said)}")
for stack, expected in zip(stacks, said):
    got = [f"{frame['symbol']} {frame['source']}" for frame in stack if frame.get("language") == "python"]
    # The first stack through a library that was loaded late may lack its rules; it says so.
    is_cut = "cut" in stack[-1]
    cut += is_cut
    if got != (expected[:len(got)] if is_cut else expected):
        wrong += 1
        if wrong < 4:
            print("got: ", *got, sep="\n  ")
            print("want:", *expected, sep="\n  ")
            print("whole:", *(name(frame) for frame in stack), sep="\n  ")
    # Python functions stand before the evaluation that runs them.
    native = [frame for frame in stack if not frame.get("inlined")]  # known by its debug package only
    for before, frame in zip(native, native[1:]):
        if before.get("language") and not frame.get("language") and "`_PyEval_EvalFrameDefault" not in name(frame):
            wrong += 1
            print("before", name(frame))
print("stacks are as the program says" if not wrong and len(stacks) > 20 * cut else f"{wrong} wrong")
