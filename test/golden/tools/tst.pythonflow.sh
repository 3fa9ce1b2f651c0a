#!/bin/bash
# ASSERTION: pythonflow.d shows the calls and returns of Python functions in order, indented, with file and line: those that
#   the program reports itself (sys.setprofile), for methods, lambdas, recursion, exceptions, generators, coroutines and threads.
# @@timeout: 180      @@tags: userland release
. ./common.sh
cat >"$tmpdir/flow.py" <<'PY'
import asyncio, contextlib, sys, threading, time
reported = []
def report(frame, event, arg):
    if event in ("call", "return") and frame.f_code.co_filename == __file__ and frame.f_code is not report.__code__:
        reported.append(("->" if event == "call" else "<-") + f" {frame.f_code.co_name}:{frame.f_lineno}")
def leaf(n): return n + 1
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class Thing:
    size = leaf(1)
    def __init__(self): self.set(leaf(2))
    def set(self, v): self.v = v
    @property
    def twice(self): return leaf(self.v) * 2
def fails(n):
    if n == 0:
        raise ValueError
    fails(n - 1)
def catches():
    try:
        fails(2)
    except ValueError:
        return leaf(0)
def numbers():
    try:
        yield 1
        yield leaf(1)
    finally:
        leaf(9)
@contextlib.contextmanager
def held():
    leaf(3)
    yield
    leaf(4)
async def inner(n):
    await asyncio.sleep(0)
    return leaf(n)
async def outer():
    return await asyncio.gather(inner(1), inner(2))
def naps():
    time.sleep(0.05)
def main():
    t = Thing()
    t.twice
    fib(5)
    catches()
    [leaf(i) for i in range(3)]
    sum(leaf(i) for i in range(2))
    sorted([3, 1, 2], key=lambda x: leaf(-x))
    list(numbers())
    g = numbers()
    next(g)
    g.close()
    g = numbers()
    next(g)
    try: g.throw(KeyError)
    except KeyError: pass
    with held(): leaf(5)
    asyncio.run(outer())
    exec("leaf(6)")
    naps()
if sys.argv[1:] == ["report"]: sys.setprofile(report)
main()
sys.setprofile(None)
thread = threading.Thread(target=naps)
thread.start()
thread.join()
print("\n".join(reported), end="")
PY
/usr/bin/python3 "$tmpdir/flow.py" report | grep -v ' report:' >"$tmpdir/reported"

# TID TIME TOOK ARROW FUNCTION FILE:LINE
tool pythonflow.d -f "$tmpdir/flow.py" -c "/usr/bin/python3 $tmpdir/flow.py"
awk '$4 == "->" && $5 == "main" { on = 1 } on { sub(/.*:/, "", $6); print $4, $5 ":" $6 } $4 == "<-" && $5 == "main" { exit }' \
  "$out" >"$tmpdir/shown"
claim "as many as the program has" [ "$(wc -l <"$tmpdir/shown")" -gt 100 ]
claim "the calls and returns, in order" diff "$tmpdir/reported" "$tmpdir/shown"
awk_claim "each return is indented as its call, and took the time between" '
  NR == 1 { next }
  { i = index($0, $4 " ") } # both arrows are in the same column
  $4 == "->" { d = ++depth[$1]; at[$1, d] = i; what[$1, d] = $5; from[$1, d] = $2; if ($3) bad = 1 }
  $4 == "<-" { d = depth[$1]--; if (d < 1 || at[$1, d] != i || what[$1, d] != $5 || $3 > $2 - from[$1, d] + 1 || $3 < $2 - from[$1, d] - 1) bad = 1
    if ($5 == "naps" && $3 >= 50000) naps++ }
  { seen[$1] }
  END { for (t in depth) if (depth[t]) bad = 1; exit bad || naps != 2 || length(seen) < 2 }'

# Python as a child. A program that runs already: the functions that are active only return.
tool pythonflow.d -f "$tmpdir/flow.py" -c "sh -c '/usr/bin/python3 $tmpdir/flow.py; :'"
awk_claim "as a child" '$4 == "->" && $5 == "fib" { n++ } $4 == "<-" && $5 == "fib" { n-- ; m++ } END { exit n || m != 15 }'
cat >"$tmpdir/late.py" <<'PY'
import os, sys
def key(n): return -n
def active(): return sorted([3, 1, 2], key=key)
def waits():
    while not os.path.exists(sys.argv[1]): pass
    return active()
waits()
PY
/usr/bin/python3 "$tmpdir/late.py" "$tmpdir/go" &
late=$!
: >"$out"
{ until grep -q FUNCTION "$out"; do sleep 0.05; done; touch "$tmpdir/go"; } &
tool pythonflow.d -f "$tmpdir/late.py" -p "$late"
wait
awk_claim "-p: calls, and returns of what was active" '{ n[$4 $5]++; if ($4 == "<-" && ($5 == "waits" || $5 == "<module>") && $3) bad = 1 }
  END { exit bad || n["->key"] != 3 || n["<-key"] != 3 || n["<-active"] != 1 || n["<-waits"] != 1 || n["->active"] != 1 || n["->waits"] }'
tool pythonflow.d -t 1 -c 'sleep 9'
claim "another program" grep -q '^no function was seen: ' "$out"
