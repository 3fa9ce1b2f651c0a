# SPDX-License-Identifier: Apache-2.0
"""The arguments of functions at their first call, as gdb sees them: for tst.typed_gdb.sh.

gdb -batch -x gdb_arguments.py --args PROGRAM...; $NAMES is a file of functions, a line each, $OUT the file to write:
a line "FUNCTION VALUE..." for each, where a value is a number, or - for one that is none or that gdb does not have.
"""
import os

import gdb

out = open(os.environ["OUT"], "w")


def number(symbol, frame):
    try:
        value = symbol.value(frame)
        kind = value.type.strip_typedefs().code
        if kind not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR):
            return "-"
        return str(int(value) & 0xFFFFFFFFFFFFFFFF)
    except (gdb.error, gdb.MemoryError, OverflowError):
        return "-"


class Entry(gdb.Breakpoint):
    def __init__(self, name, address):
        super().__init__("*%d" % address, internal=True)
        self.function = name
        self.is_seen = False

    def stop(self):
        if self.is_seen:
            return False
        self.is_seen = True
        self.enabled = False
        frame = gdb.newest_frame()
        block = frame.block()
        while block.function is None:
            block = block.superblock
        out.write(" ".join([self.function] + [number(s, frame) for s in block if s.is_argument]) + "\n")
        return False


gdb.execute("set pagination off")
gdb.execute("set exec-wrapper env -i PYTHONHASHSEED=0")
gdb.execute("break main")
gdb.execute("run", to_string=True)
for line in open(os.environ["NAMES"]):
    try:
        Entry(line.strip(), int(gdb.parse_and_eval("(unsigned long)&'%s'" % line.strip())))
    except gdb.error:
        pass
gdb.execute("continue", to_string=True)
out.close()
