# SPDX-License-Identifier: Apache-2.0
# A program that computes, and takes memory, in functions that call each other in one way only.
import time


def leaf(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def made(n): return bytearray(100_000 + n)


def key(n): return -leaf(20 + n % 7)


class Work:
    def sort(self): return sorted(range(50), key=key)

    def items(self):
        for n in range(20):
            yield leaf(n)

    def run(self): return self.sort(), sum(self.items()), made(5)


def main():
    end = time.monotonic() + 1.5
    while time.monotonic() < end: Work().run()


main()
