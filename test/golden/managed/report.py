# SPDX-License-Identifier: Apache-2.0
# Makes a system call in known functions, and says of each what its stack of Python functions is: one line a call, frames from
# the innermost on, to the file that is named.
import asyncio
import functools
import os
import sys
import threading
import time

out = open(sys.argv[1], "w")


def note(frame=None):
    frame = frame or sys._getframe(1)
    frames = []
    while frame:
        code = frame.f_code
        frames.append(f"{getattr(code, 'co_qualname', code.co_name)} {code.co_filename}:{frame.f_lineno}")
        frame = frame.f_back
    out.write("|".join(frames) + "\n")


def plain():
    note(); os.sched_yield()


def spread(a, b):
    return [
        a,
        (note(), os.sched_yield()),
        b,
    ]


class Thing:
    def method(self): note(); os.sched_yield()

    @classmethod
    def of_class(cls): cls().method()

    @staticmethod
    def static(): Thing.of_class()

    @property
    def value(self): return self.static()

    class Inner:
        def __init__(self): Thing().value

    def __lt__(self, other):
        note(); os.sched_yield()
        return False

    def __del__(self): pass


def outer():
    def inner():
        def innermost(): note(); os.sched_yield()
        innermost()
    inner()


def generator():
    for n in range(3):
        note(); os.sched_yield()
        yield n


def delegating(): yield from generator()


def recursive(n):
    if n: return recursive(n - 1) + 1
    note(); os.sched_yield()
    return 0


def through_c(n):
    # A new evaluation each.
    return max([n], key=lambda x: through_c(x - 1) if x else (note(), os.sched_yield()) and 0)


async def coroutine(n):
    if n: return await coroutine(n - 1)
    note(); os.sched_yield()
    await asyncio.sleep(0)
    note(); os.sched_yield()


def failing():
    try:
        raise ValueError("x")
    except ValueError:
        note(); os.sched_yield()
        try:
            recursive(2)
        finally:
            plain()


def decorated(function):
    @functools.wraps(function)
    def wrapper(*args): return function(*args)
    return wrapper


@decorated
def größe(): note(); os.sched_yield()


def 名前_名前(): größe()


def sleeper():
    # Without the interpreter's lock.
    note(); time.sleep(1e-6)


class Body:
    note(); os.sched_yield()


plain()
spread(1, 2)
Thing.Inner()
sorted([Thing(), Thing()])
outer()
list(generator())
list(delegating())
sum(n for n in generator())
[plain() for _ in range(2)]
{plain() for _ in range(1)}
(lambda: (lambda: (note(), os.sched_yield()))())()
recursive(30)
through_c(12)
asyncio.run(coroutine(3))
failing()
名前_名前()
functools.reduce(lambda a, b: plain(), [1, 2, 3])
list(map(lambda n: recursive(n), range(3)))
for target in (plain, sleeper, functools.partial(recursive, 5)):
    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
# Code objects whose memory is used again and again, by others of the same size.
for n in range(int(sys.argv[2]) if len(sys.argv) > 2 else 300):
    space = {"note": note, "os": os}
    exec(compile(f"\n\ndef f{n % 10}{n:06}():\n  note(); os.sched_yield()\n", f"made{n % 7}", "exec"), space)
    space[f"f{n % 10}{n:06}"]()
    del space
out.close()
