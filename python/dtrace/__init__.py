# SPDX-License-Identifier: Apache-2.0
"""DTrace in Python: programs, rows and aggregations as values, by libdtrace.

    import dtrace

    with dtrace.Tracer() as tracer:
        tracer.add('syscall:::entry { @[execname] = count(); } tick-5s { exit(0); }')
        for row in tracer:
            pass
        for (program,), calls in tracer.aggregations()['_'].entries.items():
            print(program, calls)

In asyncio: `async for row in tracer`. What is wrong with a program is a ProgramError, whose `diagnostics` have the tag and
the line.

PyPI's python-dtrace uses the module name dtrace, too, for another interface. Use one of the two: install one only, or put the
folder of the one that is meant first in PYTHONPATH. Its consumer by ctypes runs with this libdtrace."""
from ._tracer import Diagnostic, DropWarning, Error, FaultWarning, Process, Program, ProgramError, Tracer
from ._values import Aggregation, Bucket, Drop, Fault, Item, Probe, Row, Stack, Symbol

__all__ = ['Aggregation', 'Bucket', 'Diagnostic', 'Drop', 'DropWarning', 'Error', 'Fault', 'FaultWarning', 'Item', 'Probe',
           'Process', 'Program', 'ProgramError', 'Row', 'Stack', 'Symbol', 'Tracer']
