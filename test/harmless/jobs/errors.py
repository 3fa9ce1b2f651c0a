"""Exceptions, generators, threads, signals, children and callbacks of C."""
import ctypes
import itertools
import os
import re
import signal
import threading
import zlib

caught = 0
for n in range(20):
    try:
        if n % 2:
            raise ValueError(n)
    except ValueError as error:
        caught += error.args[0]
print(caught, list(itertools.islice((x * x for x in itertools.count()), 5)))


def chain(depth):
    if depth:
        yield depth
        yield from chain(depth - 1)


print(list(chain(9)), sorted([3, 1, 2], key=lambda value: -value), re.sub(r'(\d+)', lambda m: str(int(m[1]) * 2), 'a1b22'))
seen = []
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
os.kill(os.getpid(), signal.SIGUSR1)
print(seen == [signal.SIGUSR1], zlib.crc32(b'text'))
results = {}
threads = [threading.Thread(target=lambda n=n: results.update({n: n * n})) for n in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results.items()))
child = os.fork()
if not child:
    os._exit(3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(lambda a, b: a[0] - b[0])
numbers = (ctypes.c_int * 5)(5, 3, 1, 4, 2)
ctypes.CDLL(None).qsort(numbers, 5, 4, compare)
print(list(numbers))


def down():
    down()


try:
    down()
except RecursionError:
    print('too deep')
raise SystemExit(5)
