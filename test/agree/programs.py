#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes D programs at random and compares what dtrace prints for each with what the evaluator prints.

    programs.py build/release/bin/dtrace build/release/bin/evaluate --count 20
    programs.py DTRACE EVALUATE --seed 17 --show        one program, and both outputs

A program has clauses of BEGIN with statements on variables of all scopes and types: arithmetic, strings, arrays, structures,
loops, aggregations. Faults are wanted: ERROR prints which clause had which. The programs are the same in every run, since
their seeds are numbers from --seed on.
"""
import argparse
import itertools
import os
import random
import subprocess
import sys

SKIPPED = 77
DECLINED = 77  # of the evaluator
CLAUSES = 24
STATEMENTS = 3
DEPTH = 3
TIMEOUT_S = 120

INTEGERS = ["char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long"]
PRELUDE = """#pragma D option quiet
#pragma D option looplimit=8
struct pair { int a; int low : 3; unsigned int high : 13; unsigned long wide : 48; char name[6]; short list[4]; };
struct pair p; struct pair q; self struct pair r;
string s0; string s1; this string t0; self string u0; self string u1;
char x0; unsigned char x1; short x2; unsigned short x3; int x4; unsigned int x5; long x6; unsigned long x7;
self int y0; self unsigned long y1; this int z0; this unsigned short z1; this long z2;
int a0[int]; string a1[string]; long a2[string, char]; self short a3[unsigned int];
BEGIN { s0 = "begin"; self->u0 = "/a/b"; a1["abc"] = "x,y"; x4 = 1000; x6 = -3; p.a = 5; q.list[1] = -9; this->i = 0; }
"""
NUMBERS = ["x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "self->y0", "self->y1", "this->z0", "this->z1", "this->z2",
           "p.a", "p.low", "p.high", "p.wide", "q.a", "q.low", "q.wide", "self->r.a", "self->r.high"]
TEXTS = ["s0", "s1", "this->t0", "self->u0", "self->u1"]
LITERALS = ["", "a", "abc", "/usr/lib/../bin/x", "a,b;;c", "42", "-0x1f", r'{\"k\": [1, \"two\"]}', "Zz//", "longer than what came before"]
CONSTANTS = ["0", "1", "2", "3", "7", "-1", "-2", "63", "64", "100", "255", "256", "65535", "2147483647", "4294967295",
             "9223372036854775807", "(-9223372036854775807LL - 1)", "18446744073709551615ULL"]
FUNCTIONS_OF_TEXT = ["basename", "dirname", "cleanpath", "toupper", "tolower"]
AGGREGATES = [("@n", "count()"), ("@s", "sum({n})"), ("@lo", "min({n})"), ("@hi", "max({n})"), ("@av", "avg({n})"),
              ("@sd", "stddev({n})"), ("@q", "quantize({n})"), ("@lq", "lquantize({n}, -10, 100, 7)"),
              ("@llq", "llquantize({n}, 10, 0, 6, 20)")]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        clauses = "\n".join(self.clause() for _ in range(CLAUSES))
        self.text = (f"{PRELUDE}{clauses}\nBEGIN {{ exit(0); }}\n"
                     'ERROR { printf("clause %d: fault %d at %x\\n", arg2, arg4, arg5); }\n')

    def one_of(self, *choices):
        return self.random.choice(choices)

    # --- numbers

    def number(self, depth=DEPTH):
        if depth == 0 or self.random.random() < 0.2:
            return self.one_of(self.random.choice(NUMBERS), self.random.choice(CONSTANTS), self.element())
        return self.random.choice([self.arithmetic, self.comparison, self.unary, self.cast, self.choice, self.of_text,
                                   self.array_element, self.step])(depth - 1)

    def arithmetic(self, depth):
        op = self.one_of("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
        right = self.number(depth)
        # A constant 0 would be refused.
        if op in "/%":
            right = f"({right} | {self.one_of('1', '2')})" if self.random.random() < 0.8 else self.random.choice(NUMBERS)
        return f"({self.number(depth)} {op} {right})"

    def comparison(self, depth):
        if self.random.random() < 0.3:
            return f"({self.text_value(depth)} {self.one_of('<', '<=', '>', '>=', '==', '!=')} {self.text_value(depth)})"
        return f"({self.number(depth)} {self.one_of('<', '<=', '>', '>=', '==', '!=', '&&', '||', '^^')} {self.number(depth)})"

    def unary(self, depth):
        return f"({self.one_of('-', '~', '!')} {self.number(depth)})"

    def cast(self, depth):
        return f"(({self.random.choice(INTEGERS)}){self.number(depth)})"

    def choice(self, depth):
        return f"({self.number(depth)} ? {self.number(depth)} : {self.number(depth)})"

    def step(self, _):
        variable = self.random.choice(NUMBERS)
        return self.one_of(f"({variable}++)", f"(--{variable})")

    def of_text(self, depth):
        text = self.text_value(depth)
        return self.one_of(f"strlen({text})", f"index({text}, {self.text_value(0)}, {self.number(0)})",
                           f"rindex({text}, {self.text_value(0)})", f"strtoll({text}, {self.one_of(8, 10, 16, 36)})",
                           f"({text} == NULL)", f"htons({self.number(0)})", f"ntohl({self.number(0)})",
                           f"htonll({self.number(0)})", f"getmajor({self.number(0)})")

    def array_element(self, depth):
        return self.one_of(f"a0[{self.number(depth)}]", f"a2[{self.certain_text(depth)}, {self.number(depth)}]",
                           f"self->a3[{self.number(depth)}]")

    def element(self):
        return self.one_of("p.list[1]", "q.list[3]", "p.name[0]", f"p.list[{self.random.choice(NUMBERS)} & 3]",
                           f"q.list[{self.random.choice(NUMBERS)} & 7]")

    # --- strings

    def literal(self):
        return f'"{self.random.choice(LITERALS)}"'

    def certain_text(self, depth):
        return self.one_of(self.literal(), f"lltostr({self.number(depth)})", "s0")

    def text_value(self, depth=DEPTH):
        if depth <= 0 or self.random.random() < 0.25:
            return self.one_of(self.literal(), self.random.choice(TEXTS), f"a1[{self.literal()}]")
        below = self.text_value(depth - 1)
        return self.one_of(
            f"{self.random.choice(FUNCTIONS_OF_TEXT)}({below})", f"strjoin({below}, {self.text_value(depth - 1)})",
            f"substr({below}, {self.small()}, {self.small()})", f"substr({below}, {self.small()})",
            f"strchr({below}, '{self.one_of('a', '/', ',')}')", f"strrchr({below}, '{self.one_of('a', '/', ',')}')",
            f"strstr({below}, {self.literal()})", f"strtok({below}, \",;/\")", "strtok(NULL, \",/\")",
            f"lltostr({self.number(depth - 1)}, {self.one_of(2, 8, 10, 16)})", f"json({below}, \"k[{self.one_of(0, 1)}]\")",
            f"stringof(p.name)", f"({self.number(depth - 1)} ? {below} : {self.text_value(depth - 1)})")

    def small(self):
        return self.random.choice(["0", "1", "-1", "-3", "2", "5", "x0", "this->z0"])

    # --- statements

    def statement(self, depth=2):
        kinds = [self.assign, self.assign, self.compound, self.assign_text, self.assign_element, self.aggregate, self.show,
                 self.show, self.assign_character]
        if depth > 0:
            kinds += [self.branch, self.loop]
        return self.random.choice(kinds)(depth)

    def assign(self, _):
        target = self.one_of(self.random.choice(NUMBERS), self.element(), self.random.choice(NUMBERS))
        return f"{target} = {self.number()};" if self.random.random() < 0.9 else self.one_of("p = q;", "q = self->r;", "self->r = p;")

    def compound(self, _):
        op = self.one_of("+", "-", "*", "&", "|", "^", "<<", ">>")
        target = self.one_of(self.random.choice(NUMBERS), f"a0[{self.small()}]", "self->a3[1]", 'a2["k", 1]')
        return f"{target} {op}= {self.number()};"

    def assign_text(self, _):
        target = self.one_of(self.random.choice(TEXTS), f"a1[{self.literal()}]")
        return f"{target} = {self.one_of(self.text_value(), self.text_value(), 'NULL')};"

    def assign_element(self, depth):
        return f"{self.array_element(depth)} = {self.number()};"

    def assign_character(self, _):
        index = self.one_of("0", "1", "this->z0", "x1")
        return self.one_of(f"p.name[{self.one_of('0', '2', 'x0 & 3')}] = {self.number(1)};",
                           f"{self.one_of('s0', 's1', 'this->t0')}[{index}] = '{self.one_of('x', 'y')}';")

    def aggregate(self, _):
        name, function = self.random.choice(AGGREGATES)
        keys = {"": "", "n": f"[(long){self.number(1)}]", "t": f"[{self.certain_text(1)}]",
                "b": f"[{self.certain_text(1)}, (int){self.number(1)}]"}
        kind = self.one_of(*keys)  # one aggregation has one kind of key
        return f"{name}{kind}{keys[kind]} = {function.format(n=self.number(2))};"

    def show(self, _):
        return self.one_of(f'printf("%d %x\\n", {self.number()}, {self.number()});', f'printf("[%s]\\n", {self.text_value()});',
                           f'printf("%u %o\\n", {self.number()}, {self.number(1)});', f'trace({self.number()}); printf("\\n");')

    def branch(self, depth):
        then, other = self.statement(depth - 1), self.statement(depth - 1)
        return f"if ({self.number(2)}) {{ {then} }} else {{ {other} }}"

    def loop(self, _):
        body = self.one_of(self.assign, self.compound, self.assign_text, self.aggregate)(0)
        return f"for (this->i = 0; this->i < {self.one_of(1, 3, 5, 9)}; this->i++) {{ {body} }}"

    def clause(self):
        predicate = f" /{self.number(2)}/" if self.random.random() < 0.3 else ""
        return f"BEGIN{predicate} {{ {' '.join(self.statement() for _ in range(STATEMENTS))} }}"


def run(command, text):
    env = {name: value for name, value in os.environ.items() if not name.startswith("DTRACE_")}
    env["DTRACE_OPT_CACHE"] = "off"
    return subprocess.run([command, "-s", "/dev/stdin"], input=text, capture_output=True, text=True, errors="replace",
                          timeout=TIMEOUT_S, env=env, check=False)


def said(result):
    # Remarks on where in the program a fault was are the command's only.
    return result.stdout, [line for line in result.stderr.splitlines() if not line.startswith("dtrace: note")]


def show_difference(live, other):
    for stream in ("stdout", "stderr"):
        ours, theirs = getattr(live, stream).splitlines(), getattr(other, stream).splitlines()
        for pair in itertools.zip_longest(ours, theirs, fillvalue="(nothing)"):
            if pair[0] != pair[1]:
                print(f"  kernel    {pair[0]}\n  evaluator {pair[1]}")
                break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dtrace")
    parser.add_argument("evaluate")
    parser.add_argument("--seed", type=int, default=1, help="of the first program")
    parser.add_argument("--count", type=int, default=1, help="programs")
    parser.add_argument("--show", action="store_true", help="print the programs and what both commands print")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        print("skipped: needs root")
        return SKIPPED
    wrong = compared = refused = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        text = Program(seed).text
        live, other = run(arguments.dtrace, text), run(arguments.evaluate, text)
        if arguments.show:
            print(text, live.stdout, live.stderr, "-- evaluator", other.stdout, other.stderr, sep="\n")
        if live.returncode != 0 and other.returncode == DECLINED:
            print(f"seed {seed}: no program: {live.stderr.splitlines()[:3]}")
            wrong += 1
            continue
        if "the kernel refused the program" in live.stderr:
            refused += 1  # loops cost the verifier much
            continue
        compared += 1
        if live.returncode != other.returncode or said(live) != said(other):
            wrong += 1
            print(f"seed {seed}: the answers differ")
            show_difference(live, other)
    print(f"{compared} programs, {wrong} wrong, {refused} refused by the kernel")
    return 1 if wrong or refused > arguments.count // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
