# SPDX-License-Identifier: Apache-2.0
# Reads the aggregations of a run on busy.py as JSON: each chain of Python functions must be one that the program has, and
# each evaluation that is a native frame has its functions, but perhaps the innermost one, which may just begin or end. A sample
# may also interrupt the interpreter while a page of the function is not mapped, or its frame is half made: at most 1 in 100.
import json
import sys

CALLERS = {"leaf": {"key", "items"}, "made": {"run"}, "key": {"sort"}, "sort": {"run"}, "items": {"run"}, "run": {"main"},
           "main": {"<module>"}, "Work": {"<module>"}, "<module>": {None}}
LINES = {"leaf": range(6, 11), "made": range(13, 14), "key": range(16, 17), "sort": range(20, 21), "items": range(22, 25),
         "run": range(26, 27), "main": range(29, 32), "Work": range(19, 27), "<module>": range(1, 35)}
wanted = sys.argv[1]
NOT_READABLE = "(its function is not readable)"
count = whole = bare = unreadable = 0
for text in sys.stdin:
    row = json.loads(text)
    if row["type"] != "aggregation": continue
    for entry in row["entries"]:
        # Where Python's debug package is installed, what the compiler inlined stands between.
        stack = [frame for frame in entry["keys"][0] if not frame.get("inlined")]
        if any(frame.get("symbol") == NOT_READABLE for frame in stack):
            unreadable += entry["value"]
            continue
        names, groups, evaluations, group = [], 0, 0, False
        for frame in stack:
            if "language" in frame:
                if "source" not in frame:
                    print(frame)
                    continue
                name = frame["symbol"].split(".")[-1]
                file, _, line = frame["source"].rpartition(":")
                if file.endswith("busy.py"):
                    if int(line) not in LINES[name]: print("line", frame)
                    names.append(name)
                group = True
            elif "_PyEval_EvalFrameDefault" in frame.get("symbol", ""):
                evaluations += 1
                groups += group
                group = False
            elif group: print("not before an evaluation:", frame)
        if not names or "cut" in stack[-1]: continue
        count += entry["value"]
        whole += entry["value"] if groups == evaluations else 0
        if evaluations - groups > 1: print("evaluations without functions:", stack)
        for inner, outer in zip(names, names[1:] + [None]):
            if outer not in CALLERS[inner]: print(inner, "was called by", outer)
        bare += wanted in names
if unreadable * 100 > count: print(f"not readable: {unreadable} beside {count}")
print(f"{wanted}: {'seen' if bare else 'not seen'}; {'most' if count and whole >= 0.9 * count else f'{whole} of {count}'} whole")
