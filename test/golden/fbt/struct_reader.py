# SPDX-License-Identifier: Apache-2.0
"""struct_reader.py STRUCT FILE: compares what print() showed of a kernel structure with the memory it is in.

FILE has the structure's address on its first line, then print()'s text. Types are read from /sys/kernel/btf/vmlinux,
memory from /proc/kcore, by nothing of dtrace. Compared are numbers of two bytes and more, truth values, pointers to data
and arrays of these, in the order in which they lie there. Members that change while we look (a load average, a counter)
are left out if two readings differ; they may be few. So may be the links of lists whose neighbours have ended since.
"""

import re
import struct
import sys
from collections import namedtuple

INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, FUNC_PROTO, VAR, DATASEC = range(1, 16)
FLOAT, DECL_TAG, TYPE_TAG, ENUM64 = 16, 17, 18, 19
NAMED = (TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG)
TAIL_BYTES = {INT: 4, ARRAY: 12, VAR: 4, DECL_TAG: 4}
ITEM_BYTES = {STRUCT: 12, UNION: 12, ENUM: 8, FUNC_PROTO: 8, DATASEC: 12, ENUM64: 12}
BOOL_ENCODING = 4
# Where functions are traced through the graph tracer, the kernel gives each task a stack for returns when tracing begins, and
# from 6.13 on takes it back when it ends: before we read.
OF_TRACING = ("ret_stack",)
LINKS = ("next", "prev", "pprev", "rb_left", "rb_right")

Type = namedtuple("Type", "name_offset info size at")


class Btf:
    def __init__(self, data):
        _, _, _, header, types, types_bytes, strings, _ = struct.unpack_from("<HBBIIIII", data)
        self.data = data
        self.strings = header + strings
        self.types = [None]
        at, end = header + types, header + types + types_bytes
        unpack = struct.Struct("<III").unpack_from
        while at < end:
            name, info, size = unpack(data, at)
            self.types.append((name, info, size, at + 12))
            kind = info >> 24 & 0x1f
            at += 12 + TAIL_BYTES.get(kind, 0) + ITEM_BYTES.get(kind, 0) * (info & 0xffff)

    def type(self, number):
        """The type with that number, its names and qualifiers taken off; None for void."""
        while number and (Type(*self.types[number]).info >> 24 & 0x1f) in NAMED:
            number = self.types[number][2]
        return Type(*self.types[number]) if number else None

    def text(self, offset):
        begin = self.strings + offset
        return self.data[begin:self.data.index(b"\0", begin)].decode()

    def find_struct(self, name):
        for each in self.types[1:]:
            if (each[1] >> 24 & 0x1f) == STRUCT and self.text(each[0]) == name:
                return Type(*each)
        raise SystemExit(f"no struct {name}")

    def is_function_pointer(self, kind):
        to = self.type(kind.size)
        return to is not None and (to.info >> 24 & 0x1f) == FUNC_PROTO


class Reader:
    def __init__(self, btf, memory):
        self.btf = btf
        self.memory = memory
        self.found = []  # (name, value)
        self.functions = set()  # names of members that point to functions: shown by symbol

    def number(self, offset, size):
        return int.from_bytes(self.memory[offset:offset + size], "little")

    def scalar(self, kind, offset):
        """Its value; None for what print() shows otherwise than as a number."""
        code = kind.info >> 24 & 0x1f
        if code == PTR:
            return self.number(offset, 8)
        if code == INT:
            encoding = struct.unpack_from("<I", self.btf.data, kind.at)[0] >> 24
            return self.number(offset, kind.size) if kind.size in (2, 4, 8, 16) or encoding & BOOL_ENCODING else None
        return None

    def members(self, kind, base):
        for i in range(kind.info & 0xffff):
            name, number, position = struct.unpack_from("<III", self.btf.data, kind.at + 12 * i)
            bits = position >> 24 if kind.info >> 31 else 0
            position = position & 0xffffff if kind.info >> 31 else position
            member = self.btf.type(number)
            if bits:
                if (member.info >> 24 & 0x1f) == INT and member.size > 1:
                    whole = self.number(base + position // 8, (position % 8 + bits + 7) // 8)
                    self.found.append((self.btf.text(name), whole >> position % 8 & (1 << bits) - 1))
                continue
            self.value(self.btf.text(name), member, base + position // 8)

    def value(self, name, kind, offset):
        code = kind.info >> 24 & 0x1f
        if code == PTR and self.btf.is_function_pointer(kind):
            self.functions.add(name)
        elif code in (STRUCT, UNION):
            self.members(kind, offset)
        elif code == ARRAY:
            self.array(name, kind, offset)
        elif (number := self.scalar(kind, offset)) is not None:
            self.found.append((name, number))

    def array(self, name, kind, offset):
        element_number, _, count = struct.unpack_from("<III", self.btf.data, kind.at)
        element = self.btf.type(element_number)
        code = element.info >> 24 & 0x1f
        if code in (STRUCT, UNION):
            for i in range(count):
                self.members(element, offset + i * element.size)
        elif code in (INT, PTR):
            size = 8 if code == PTR else element.size
            if size > 1 and count and self.scalar(element, offset) is not None:
                self.found.append((name, [self.number(offset + i * size, size) for i in range(count)]))


def read_memory(address, size):
    with open("/proc/kcore", "rb", buffering=0) as core:
        head = core.read(64)
        offset, count = struct.unpack_from("<Q", head, 32)[0], struct.unpack_from("<H", head, 56)[0]
        core.seek(offset)
        headers = core.read(56 * count)
        for i in range(count):
            kind, _, at, begin, _, length = struct.unpack_from("<IIQQQQ", headers, 56 * i)
            if kind == 1 and begin <= address < begin + length:
                core.seek(at + address - begin)
                return core.read(size)
    raise SystemExit(f"{address:x} is not in /proc/kcore")


def shown_values(lines):
    found = []
    for line in lines:
        match = re.fullmatch(r"\s*(.*?)(\w+)(?: ?:\d+)? = (.*)", line)
        if not match:
            continue
        kind, name, text = match.groups()
        number = r"-?(?:0x[0-9a-f]+|\d+)"
        if kind.startswith("enum "):
            continue
        if re.fullmatch(number, text):
            found.append((name, int(text, 0)))
        elif re.fullmatch(rf"\[ {number}(?:, {number})* \]", text):
            found.append((name, [int(word, 0) for word in text[2:-2].split(", ")]))
    return found


def same(shown, read):
    if isinstance(read, list):
        return isinstance(shown, list) and len(shown) == len(read) and all(map(same, shown, read))
    return not isinstance(shown, list) and (shown == read or shown % (1 << 32) == read % (1 << 32) and shown < 0)


def main():
    name, path = sys.argv[1:3]
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip("\n") for line in file if line.strip()]
    address = int(lines[0], 16)
    with open("/sys/kernel/btf/vmlinux", "rb") as file:
        btf = Btf(file.read())
    kind = btf.find_struct(name)
    readings = []
    for _ in range(2):
        reader = Reader(btf, read_memory(address, kind.size))
        reader.members(kind, 0)
        readings.append([each for each in reader.found if each[0] not in reader.functions])
    shown = [each for each in shown_values(lines[1:]) if each[0] not in reader.functions]
    steady = [i for i in range(len(readings[0])) if readings[0][i] == readings[1][i]]
    names = [each[0] for each in readings[0]]
    if [each[0] for each in shown] != names:
        for i, (a, b) in enumerate(zip([each[0] for each in shown], names)):
            if a != b:
                print(f"member {i}: shown {shown[i - 1:i + 2]}, there {readings[0][i - 1:i + 2]}")
                break
        print(f"{len(shown)} members shown, {len(names)} there")
        return 1
    wrong = [i for i in steady if names[i] not in OF_TRACING and not same(shown[i][1], readings[0][i][1])]
    links = [i for i in wrong if names[i] in LINKS]
    wrong = [i for i in wrong if i not in links]
    moving = len(names) - len(steady) + len(links)
    for i in wrong[:20]:
        print(f"{names[i]}: shown {shown[i][1]}, there {readings[0][i][1]}")
    print("hundreds of members" if len(names) > 300 else f"only {len(names)} members")
    print("few change meanwhile" if moving < 20 else f"{moving} change meanwhile")
    print("all others as shown" if not wrong else f"{len(wrong)} are not as shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
