#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares three answers to the same D expression: folded at compile time, computed by the kernel, and computed here.

Each case is an expression over x and y. The folder sees constants in their place, the kernel sees global variables. One D
program holds many cases, since most of the time goes into starting the command.
"""
import itertools
import os
import subprocess
import sys

SKIPPED = 77
CASES_A_PROGRAM = 100

INT64 = 1 << 64


def signed(value, bits=64):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a, b):
    q = abs(a) // abs(b)
    return signed(-q if (a < 0) != (b < 0) else q)


def remainder(a, b):
    r = abs(a) % abs(b)
    return -r if a < 0 else r


BINARY = {
    "+": lambda a, b: signed(a + b),
    "-": lambda a, b: signed(a - b),
    "*": lambda a, b: signed(a * b),
    "/": quotient,
    "%": remainder,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
    "^^": lambda a, b: int(bool(a) != bool(b)),
    "<<": lambda a, b: signed(a << (b & 63)),
    ">>": lambda a, b: a >> (b & 63),
}
VALUES = [0, 1, -1, 2, -7, 10, 63, 255, -256, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63) + 1, -(1 << 63)]
UNSIGNED = [0, 1, 7, 255, 1 << 32, (1 << 63), (1 << 64) - 1]
NARROW = {"char": 8, "short": 16, "int": 32, "unsigned char": -8, "unsigned short": -16, "unsigned int": -32}


def narrowed(value, bits):
    return signed(value, bits) if bits > 0 else value & ((1 << -bits) - 1)


# Bits of each integer type, negative if it is unsigned.
TYPES = dict(NARROW, **{"int64_t": 64, "uint64_t": -64})
EDGES = {name: sorted({narrowed(value, bits) for value in (0, 1, -1, 100, 1 << (abs(bits) - 1), (1 << (abs(bits) - 1)) - 1)})
         for name, bits in TYPES.items()}


def common(a, b):
    """The type of an operation on two types: the wider one, and of two as wide the unsigned one. None becomes an int first."""
    return max(a, b, key=lambda bits: (abs(bits), bits < 0))


def mixed(op, kind_x, x, kind_y, y):
    """What D's conversions make of `x op y`; None if it has no value.

    A signed result that does not fit its type has none either: constants are folded in 64 bits.
    """
    if op in ("<<", ">>"):
        bits = TYPES[kind_x]
        if not 0 <= y < abs(bits):
            return None
        value = x << y if op == "<<" else x >> y
        return value if value == narrowed(value, bits) else None
    bits = common(TYPES[kind_x], TYPES[kind_y])
    a, b = narrowed(x, bits), narrowed(y, bits)
    if op in "/%":
        if b == 0:
            return None
        if bits < 0:
            return a // b if op == "/" else a % b
    value = BINARY[op](a, b) if op not in "+-*" else {"+": a + b, "-": a - b, "*": a * b}[op]
    if op in COMPARISONS:
        return value
    return None if bits > 0 and value != narrowed(value, bits) else narrowed(value, bits)


COMPARISONS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^")


class Case:
    def __init__(self, expression, x, y, want, kind="int64_t", kind_y=None):
        self.expression, self.x, self.y, self.want, self.kind = expression, x, y, want, kind
        self.kind_y = kind_y or kind

    def literal(self, value, kind=None):
        kind = kind or self.kind
        if value == -(1 << 63):
            return "(-9223372036854775807LL - 1)"
        text = f"({value}ULL)" if kind == "uint64_t" else f"({value}LL)"
        return text if kind in ("int64_t", "uint64_t") else f"(({kind}){text})"

    def folded(self):
        return self.expression.replace("X", self.literal(self.x)).replace("Y", self.literal(self.y, self.kind_y))

    def run(self, n):
        return self.expression.replace("X", f"x{n}").replace("Y", f"y{n}")

    def form(self):
        return "%u" if self.kind == "uint64_t" and "int64_t" not in self.expression.replace("uint64_t", "") else "%d"


def cases():
    for op, a, b in itertools.product(BINARY, VALUES, VALUES):
        if op in "/%" and b == 0:
            continue
        if op in ("<<", ">>") and not 0 <= b <= 63:
            continue
        yield Case(f"(X {op} Y)", a, b, BINARY[op](a, b))
    for op, a, b in itertools.product(["/", "%", "<", ">", ">>", "*", "+", "-"], UNSIGNED, UNSIGNED):
        if op in "/%" and b == 0 or op == ">>" and b > 63:
            continue
        plain = {"/": lambda p, q: p // q, "%": lambda p, q: p % q, ">>": lambda p, q: p >> q, "<": BINARY["<"], ">": BINARY[">"]}
        value = plain[op](a, b) if op in plain else BINARY[op](a, b) % INT64
        yield Case(f"(uint64_t)(X {op} Y)", a, b, value, "uint64_t")
    for a in VALUES:
        yield Case("(-X)", a, 0, signed(-a))
        yield Case("(~X)", a, 0, ~a)
        yield Case("(!X)", a, 0, int(not a))
        yield Case("(X > 3 ? X : Y)", a, -5, a if a > 3 else -5)
        for name, bits in NARROW.items():
            yield Case(f"(int64_t)({name})X", a, 0, narrowed(a, bits))
            yield Case(f"(int64_t)(({name})X >> 1)", a, 0, narrowed(a, bits) >> 1)


    for op, kind_x, kind_y in itertools.product(BINARY, TYPES, TYPES):
        for x, y in itertools.product(EDGES[kind_x][::3], EDGES[kind_y][1::3]):
            want = mixed(op, kind_x, x, kind_y, y)
            if want is not None:
                yield Case("(int64_t)(X %s Y)" % op, x, y, signed(want), kind_x, kind_y)


def check_division_by_zero(dtrace):
    """By a constant 0 it is refused, by a variable it is a fault."""
    wrong = []
    for op, kind in itertools.product("/%", TYPES):
        source = f"BEGIN {{ x = ({kind})5; trace(x {op} ({kind})0); exit(0); }}"
        result = subprocess.run([dtrace, "-xerrtags", "-qn", source], capture_output=True, text=True, timeout=60)
        if result.returncode != 1 or "[D_DIV_ZERO]" not in result.stderr:
            wrong.append(f"{source}: {result.returncode} {result.stderr}")
    clauses = "".join(f"BEGIN {{ trace(({kind})5 {op} ({kind})zero); }} " for op, kind in itertools.product("/%", TYPES))
    source = f"#pragma D option quiet\nint zero;\n{clauses} BEGIN {{ exit(0); }} ERROR {{ printf(\"%d\\n\", arg4); }}"
    result = subprocess.run([dtrace, "-s", "/dev/stdin"], input=source, capture_output=True, text=True, timeout=60)
    faults = result.stdout.split()
    if faults != ["4"] * (2 * len(TYPES)):
        wrong.append(f"divisions by a variable that is 0: faults {faults}")
    return wrong


def program(batch):
    lines = ["#pragma D option quiet"]
    for n, case in enumerate(batch):
        lines.append(f"{case.kind} x{n}; {case.kind_y} y{n};")
    lines.append("BEGIN {")
    for n, case in enumerate(batch):
        lines.append(f"  x{n} = {case.literal(case.x)}; y{n} = {case.literal(case.y, case.kind_y)};")
    lines.append("}")
    # A clause a few cases: a clause's record is one reservation.
    for n, case in enumerate(batch):
        lines.append(f'BEGIN {{ printf("{n} {case.form()} {case.form()}\\n", {case.folded()}, {case.run(n)}); }}')
    lines.append("BEGIN { exit(0); }")
    return "\n".join(lines)


def check(dtrace, batch):
    text = program(batch)
    result = subprocess.run([dtrace, "-s", "/dev/stdin"], input=text, capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        print(text)
        print(result.stdout + result.stderr)
        return [f"exit status {result.returncode}"]
    answers = {int(line.split()[0]): line.split()[1:] for line in result.stdout.splitlines() if line}
    wrong = []
    for n, case in enumerate(batch):
        answer = answers.get(n)
        if answer != [str(case.want)] * 2:
            wrong.append(f"{case.expression} with X = {case.x}, Y = {case.y}: want {case.want}, folded and run give {answer}")
    return wrong


def main():
    if os.geteuid() != 0:
        print("skipped: needs root")
        return SKIPPED
    everything = list(cases())
    wrong = check_division_by_zero(sys.argv[1])
    for begin in range(0, len(everything), CASES_A_PROGRAM):
        wrong += check(sys.argv[1], everything[begin:begin + CASES_A_PROGRAM])
    print("\n".join(wrong[:200]))
    print(f"{len(everything)} expressions, {len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
