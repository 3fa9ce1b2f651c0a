#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the answers to the same D expression: folded at compile time, computed by the kernel, computed by the evaluator,
and computed here.

Each case is an expression over X and Y, each of one of the eight integer types. The folder sees constants in their place,
the kernel and the evaluator see global variables. One D program holds many cases, since most of the time goes into starting the command.
The model below is the D language reference, 2.6 and 2.7, and the manual's "Integers": the operand of greater rank (bits,
then unsigned) gives the type, and nothing is promoted to int. Values are computed in 64 bits, as C would with an int of 64
bits: `unsigned int` wraps at once, types narrower than int count as signed, and a result is narrowed to its type where it is
recorded, cast or stored. A shift counts modulo 64. An undeclared variable has 64 bits, whatever its first value was.
"""
import argparse
import itertools
import os
import pathlib
import random
import subprocess
import sys
import time
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "runner"))
from verdict import Kind, Verdict, this_kernel, write_results  # noqa: E402

SKIPPED = 77
DECLINED = 77  # of the evaluator's command, where it is asked for something else than an answer
CASES_A_PROGRAM = 48
MIXED_CASES = 2400
SEED = 19


@dataclass(frozen=True)
class Type:
    name: str
    bits: int
    signed: bool

    def narrow(self, value):
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value

    def rank(self):
        return self.bits + (0 if self.signed else 1)

    def computes_signed(self):
        return self.signed or self.bits < 32

    def computed(self, value):
        """What an operator of this type makes of an operand, and leaves as its result."""
        if self.bits == 32 and not self.signed:
            return self.narrow(value)
        return (LONG if self.computes_signed() else ULONG).narrow(value)

    def held(self):
        """The type of an undeclared variable whose first value is of this one."""
        return self if self.bits == 64 else LONG if self.computes_signed() else ULONG

    def shown(self, value):
        """What is printed of a value that such a variable holds: its first type if it fits, else all of it."""
        return self.narrow(value) if self.narrow(value) == value else value

    def edges(self):
        top = 1 << (self.bits - 1)
        values = [0, 1, 2, 7, top - 1]
        return values + ([-1, -7, -top, -top + 1] if self.signed else [top, 2 * top - 1, top + 3])


TYPES = [Type(prefix + name, bits, not prefix) for name, bits in
         [("char", 8), ("short", 16), ("int", 32), ("long", 64)] for prefix in ("", "unsigned ")]
BY_NAME = {t.name: t for t in TYPES}
INT, LONG, ULONG = BY_NAME["int"], BY_NAME["long"], BY_NAME["unsigned long"]


def common(a, b):
    return a if a.rank() >= b.rank() else b


def quotient(a, b):
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def remainder(a, b):
    r = abs(a) % abs(b)
    return -r if a < 0 else r


ARITHMETIC = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": quotient, "%": remainder,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}
COMPARISON = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}
LOGIC = {
    "&&": lambda a, b: bool(a) and bool(b), "||": lambda a, b: bool(a) or bool(b),
    "^^": lambda a, b: bool(a) != bool(b),
}
SHIFT = {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)}
BINARY = [*ARITHMETIC, *COMPARISON, *LOGIC, *SHIFT]
UNARY = {"-": lambda a: -a, "+": lambda a: a, "~": lambda a: ~a}


def binary(op, s, a, t, b):
    """Value of `a op b` for a of type s and b of type t; None where it is a fault."""
    if op in LOGIC:
        return int(LOGIC[op](a, b))
    if op in SHIFT:
        return s.computed(SHIFT[op](s.computed(a), b))
    to = common(s, t)
    a, b = to.computed(a), to.computed(b)
    if op in COMPARISON:
        return int(COMPARISON[op](a, b))
    if op in "/%" and b == 0:
        return None
    return to.computed(ARITHMETIC[op](a, b))


def type_of(op, s, t):
    return INT if op in LOGIC or op in COMPARISON else s if op in SHIFT else common(s, t)


def recorded(op, s, a, t, b):
    """What printf() shows of `a op b`."""
    value = binary(op, s, a, t, b)
    return None if value is None else type_of(op, s, t).narrow(value)


def literal(kind, value):
    if value == -(1 << 63):
        text = "(-9223372036854775807LL - 1)"
    else:
        text = f"({value}{'ULL' if value >= 1 << 63 else 'LL'})"
    return f"(({kind.name}){text})"


@dataclass
class Case:
    expression: str
    s: Type
    x: int
    t: Type
    y: int
    want: int

    def folded(self):
        return self.expression.replace("X", literal(self.s, self.x)).replace("Y", literal(self.t, self.y))

    def run(self, n):
        return self.expression.replace("X", f"x{n}").replace("Y", f"y{n}")


def pairs_of(s, t):
    return itertools.product(s.edges(), t.edges())


def binary_cases():
    # All values of one type against each other, at every size and sign.
    for op, kind in itertools.product(BINARY, TYPES):
        full = kind in (INT, LONG, ULONG)
        values = list(pairs_of(kind, kind))
        for a, b in values if full else values[::5]:
            want = recorded(op, kind, a, kind, b)
            if want is not None:
                yield Case(f"(X {op} Y)", kind, a, kind, b, want)
    # Mixed types: a fixed sample.
    sample = random.Random(SEED)
    for _ in range(MIXED_CASES):
        op, s, t = sample.choice(BINARY), *sample.sample(TYPES, 2)
        a, b = sample.choice(s.edges()), sample.choice(t.edges())
        want = recorded(op, s, a, t, b)
        if want is not None:
            yield Case(f"(X {op} Y)", s, a, t, b, want)


def shift_cases():
    for op, s in itertools.product(SHIFT, TYPES):
        for a, count in itertools.product(s.edges()[3:6], [0, 7, 8, 31, 32, 63, 64, 65, 127, -1, -63]):
            yield Case(f"(X {op} Y)", s, a, INT, count, recorded(op, s, a, INT, count))


def other_cases():
    for s in TYPES:
        for a in s.edges():
            for op, f in UNARY.items():
                yield Case(f"({op}X)", s, a, INT, 0, s.narrow(f(a)))
            yield Case("(!X)", s, a, INT, 0, int(not a))
            for t in TYPES:
                yield Case(f"(({t.name})X)", s, a, INT, 0, t.narrow(a))
                to = common(s, t)
                for b in t.edges()[-2:]:
                    yield Case("(X > 1 ? X : Y)", s, a, t, b, to.narrow(to.computed(a if a > 1 else b)))


def nested_cases():
    """An operation on what an operation gave: all of its 64 bits count."""
    for s in TYPES:
        top, bottom = s.edges()[4], s.narrow(1 << (s.bits - 1))
        for x, (op, y) in itertools.product((top, bottom), [("+", 1), ("-", 7), ("*", 2), ("<<", 1), ("<<", 7)]):
            inner = binary(op, s, x, s, y)
            yield Case(f"((X {op} Y) > X)", s, x, s, y, binary(">", s, inner, s, x))
            yield Case(f"((X {op} Y) == X)", s, x, s, y, binary("==", s, inner, s, x))
            yield Case(f"((long)(X {op} Y))", s, x, s, y, LONG.narrow(inner))
            yield Case(f"((char)(X {op} Y))", s, x, s, y, BY_NAME["char"].narrow(inner))
            yield Case(f"((X {op} Y) + 1LL)", s, x, s, y, binary("+", s, inner, LONG, 1) if s is not ULONG
                       else ULONG.narrow(inner + 1))
            yield Case(f"((X {op} Y) / 2)", s, x, s, y, type_of("/", s, INT).narrow(binary("/", s, inner, INT, 2)))
            yield Case(f"((X {op} Y) >> 1)", s, x, s, y, s.narrow(binary(">>", s, inner, INT, 1)))
            yield Case(f"((X {op} Y) ? 1 : 0)", s, x, s, y, int(inner != 0))
            yield Case(f"(!(X {op} Y))", s, x, s, y, int(inner == 0))
            yield Case(f"((X {op} Y) && 1)", s, x, s, y, int(inner != 0))
            yield Case(f"((X > Y ? X {op} Y : Y) > 1000000)", s, x, s, y,
                       binary(">", s, s.computed(inner if binary(">", s, x, s, y) else y), INT, 1000000))
        yield Case("((-X) < 0)", s, top, INT, 0, binary("<", s, s.computed(-top), INT, 0))
        yield Case("((~X) == -1)", s, 0, INT, 0, binary("==", s, s.computed(~0), INT, -1))


def program(batch):
    lines = ["#pragma D option quiet"]
    for n, case in enumerate(batch):
        lines.append(f"{case.s.name} x{n}; {case.t.name} y{n};")
    lines.append("BEGIN {")
    for n, case in enumerate(batch):
        lines.append(f"  x{n} = {literal(case.s, case.x)}; y{n} = {literal(case.t, case.y)};")
    lines.append("}")
    for n, case in enumerate(batch):
        lines.append(f'BEGIN {{ printf("{n} %d %d\\n", {case.folded()}, {case.run(n)}); }}')
    lines.append("BEGIN { exit(0); }")
    return "\n".join(lines)


def run(dtrace, text, *options):
    return subprocess.run([dtrace, *options, "-s", "/dev/stdin"], input=text, capture_output=True, text=True,
                          timeout=300)


def check(dtrace, batch):
    text = program(batch)
    result = run(dtrace, text)
    if result.returncode != 0:
        print(text)
        print(result.stdout + result.stderr)
        return [f"exit status {result.returncode}"]
    answers = {int(line.split()[0]): line.split()[1:] for line in result.stdout.splitlines() if line}
    wrong = []
    for n, case in enumerate(batch):
        answer = answers.get(n)
        if answer != [str(case.want), str(case.want)]:
            wrong.append(f"{case.expression} with X = ({case.s.name}){case.x}, Y = ({case.t.name}){case.y}: "
                         f"want {case.want}, folded and run give {answer}")
    return wrong


def check_assignments(dtrace):
    """x op= y and ++, --: of the left operand's type, whatever y is. The folder has no part in them."""
    sample = random.Random(SEED)
    wanted = {}
    lines, wrong = ["#pragma D option quiet"], []
    for n in range(96):
        op, s, t = sample.choice([*ARITHMETIC, *SHIFT]), *sample.sample(TYPES, 2)
        a, b = sample.choice(s.edges()), sample.choice(t.edges())
        value = binary(op, s, a, t, b)
        if value is None:
            continue
        wanted[n] = (s.narrow(value), f"({s.name}){a} {op}= ({t.name}){b}")
        lines.append(f"{s.name} x{n}; {t.name} y{n};\nBEGIN {{ x{n} = {literal(s, a)}; y{n} = {literal(t, b)}; "
                     f'x{n} {op}= y{n}; printf("{n} %d\\n", x{n}); }}')
    for n, (s, step) in enumerate(itertools.product(TYPES, [1, -1]), 1000):
        edge = s.narrow((1 << (s.bits - 1)) - 1 if s.signed else -1) if step > 0 else \
            (-(1 << (s.bits - 1)) if s.signed else 0)
        op = "++" if step > 0 else "--"
        wanted[n] = (s.narrow(edge + step), f"({s.name}){edge}{op}")
        lines.append(f'{s.name} x{n};\nBEGIN {{ x{n} = {literal(s, edge)}; x{n}{op}; printf("{n} %d\\n", x{n}); }}')
    result = run(dtrace, "\n".join(lines) + "\nBEGIN { exit(0); }")
    got = {int(line.split()[0]): int(line.split()[1]) for line in result.stdout.splitlines() if line}
    for n, (value, text) in wanted.items():
        if got.get(n) != value:
            wrong.append(f"{text}: want {value}, got {got.get(n)} {result.stderr}")
    return len(wanted), wrong


def check_undeclared(dtrace):
    """Variables that nobody declared: global, thread-local, clause-local, arrays. Their first value gives the type, by which
    they are checked and printed; they hold, and compute with, 64 bits."""
    sample = random.Random(SEED)
    wanted = {}
    lines, wrong = ["#pragma D option quiet"], []
    places = ["g{n}", "self->s{n}", "this->t{n}", "a{n}[1]", 'self->b{n}["k", 2]']
    values = [1 << 31, 1 << 33, -(1 << 40), (1 << 63) - 1, 7, -1]
    for n, (first, place) in enumerate(itertools.product(TYPES, places)):
        name, value = place.format(n=n), values[n % len(values)]
        held = first.held()
        op, t = sample.choice([*ARITHMETIC, *SHIFT]), sample.choice(TYPES)
        operand = sample.choice(t.edges()[1:])
        lines.append(f"BEGIN {{ {name} = {literal(first, 1)}; {name} = {literal(LONG, value)}; "
                     f'printf("{n} %d ", {name}); printf("%d ", {name} {op} {literal(t, operand)}); '
                     f'{name} {op}= {literal(t, operand)}; printf("%d\\n", {name}); }}')
        value = held.narrow(value)
        result = binary(op, held, value, t, operand)
        to = type_of(op, held, t)
        shown = first.shown(result) if to is held and first.bits < 64 else to.narrow(result)
        wanted[n] = ([first.shown(value), shown, first.shown(held.narrow(result))],
                     f"{name} = ({first.name})1 = {value}; {op} ({t.name}){operand}")
    result = run(dtrace, "\n".join(lines) + "\nBEGIN { exit(0); }")
    got = {int(line.split()[0]): [int(word) for word in line.split()[1:]] for line in result.stdout.splitlines() if line}
    for n, (values, text) in wanted.items():
        if got.get(n) != values:
            wrong.append(f"{text}: want {values}, got {got.get(n)} {result.stderr}")
    return len(wanted), wrong


def check_zero_divisors(dtrace):
    """A constant zero is refused by the compiler, a zero found at run time is a fault."""
    wrong = []
    lines = ["#pragma D option quiet"]
    for n, (op, s) in enumerate(itertools.product("/%", TYPES)):
        lines.append(f"{s.name} x{n}; {s.name} y{n};\nBEGIN {{ x{n} = 7; trace(x{n} {op} y{n}); }}")
        refused = run(dtrace, f"BEGIN {{ trace({literal(s, 7)} {op} {literal(s, 0)}); }}", "-e", "-xerrtags")
        if refused.returncode != DECLINED and "[D_DIV_ZERO]" not in refused.stderr:
            wrong.append(f"({s.name})7 {op} 0: not refused: {refused.stderr}")
    lines.append("ERROR /arg4 == 4/ { faults++; }\nEND { printf(\"%d\", faults); }\nBEGIN { exit(0); }")
    result = run(dtrace, "\n".join(lines))
    if result.stdout.split() != [str(2 * len(TYPES))]:
        wrong.append(f"division by zero at run time: {result.stdout} {result.stderr}")
    return 2 * len(TYPES), wrong


def main():
    parser = argparse.ArgumentParser(description="the constant folder, the kernel, the evaluator and a model answer alike")
    parser.add_argument("dtrace", nargs="+", help="commands that run D programs: dtrace, and the evaluator's")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only one in N of the cases: for slow machines")
    parser.add_argument("--results", type=pathlib.Path, help="write the verdict to this file")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        print("skipped: needs root")
        return SKIPPED
    began = time.monotonic()
    everything = [*binary_cases(), *shift_cases(), *other_cases(), *nested_cases()][::arguments.every]
    wrong, total = [], 0
    for dtrace in arguments.dtrace:
        name = pathlib.Path(dtrace).name
        found = []
        for begin in range(0, len(everything), CASES_A_PROGRAM):
            found += check(dtrace, everything[begin:begin + CASES_A_PROGRAM])
        total += len(everything)
        for part in (check_assignments, check_undeclared, check_zero_divisors):
            count, failed = part(dtrace)
            total += count
            found += failed
        wrong += [f"{name}: {line}" for line in found]
    print("\n".join(wrong))
    print(f"{total} expressions, {len(wrong)} wrong")
    if arguments.results:
        kind = Kind.FAIL if wrong else Kind.PASS
        reason = f"{len(wrong)} of {total} expressions are wrong" if wrong else ""
        write_results(arguments.results, [Verdict(kind, "agree/expressions", reason)], this_kernel(),
                      seconds=time.monotonic() - began)
    return 1 if wrong else 0


sys.exit(main())
