#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows how large the reads of each program are, as a histogram, and prints the files that are opened meanwhile.

usage: readsizes.py [SECONDS]

Needs root, and the package `dtrace` that is installed with DTrace for Linux, in PREFIX/lib/python3/dist-packages:
PYTHONPATH says where, if that is not in Python's path."""
import asyncio
import sys

import dtrace

PROGRAM = '''
syscall::read:return /arg0 > 0/ { @sizes[execname] = quantize(arg0); }
syscall::openat:entry { self->path = arg1; }
syscall::openat:return /self->path/ { printf("%s", copyinstr(self->path)); trace(execname); self->path = 0; }
'''


async def print_opens(tracer):
    async for row in tracer:
        path, program = row.values
        print(f'{program:<16} {path}')


async def trace(tracer, seconds):
    opens = asyncio.ensure_future(print_opens(tracer))
    await asyncio.wait([opens], timeout=seconds)
    tracer.stop()
    await opens


def print_histograms(aggregation):
    for (program,), buckets in aggregation.entries.items():
        print(f'\n{program}')
        most = max(bucket.count for bucket in buckets)
        for bucket in buckets:
            print(f'{bucket.low:>10} {"#" * (bucket.count * 40 // most):<40} {bucket.count}')


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    with dtrace.Tracer() as tracer:
        try:
            tracer.add(PROGRAM)
        except dtrace.ProgramError as error:
            for diagnostic in error.diagnostics:
                print(f'line {diagnostic.line}: {diagnostic.message} [{diagnostic.tag}]', file=sys.stderr)
            return 1
        asyncio.run(trace(tracer, seconds))
        sizes = tracer.aggregations().get('sizes')
        if sizes is not None:
            print_histograms(sizes)
    return 0


if __name__ == '__main__':
    sys.exit(main())
