#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares where abi_places has parameters with where compilers put them.

compare.py --places COMMAND [--lists N] [--seed N] [--machine NAME]... [--compiler NAME]... [--keep FOLDER]

For each machine, compiler and language it makes N functions with random parameter lists (lists.py), a program that calls them with
values known in advance, and functions in assembly that keep the registers as they are when they begin (start_MACHINE.S). The
program compares what is at each position with what it passed (check.c), so that the compiler's own code decides. The positions are
those of three questions: the calling convention alone, args[] of the same functions without optimisation, and with it.
A parameter is equal, refused with a reason, or wrong. One that is wrong fails the test.
"""
import argparse
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import lists

HERE = pathlib.Path(__file__).resolve().parent
QUESTIONS = ["convention", "args-O0", "args-O2"]
CROSS_GCC = {"gcc": "aarch64-linux-gnu-gcc", "g++": "aarch64-linux-gnu-g++"}


def has_cpu_flag(flag):
    return any(flag in line.split() for line in open("/proc/cpuinfo") if line.startswith("flags"))


class Config:
    def __init__(self, machine, compiler, is_cxx, options=()):
        self.machine, self.compiler, self.is_cxx, self.options = machine, compiler, is_cxx, list(options)
        host = os.uname().machine
        driver = compiler
        if is_cxx:
            driver = compiler.replace("gcc", "g++").replace("clang", "clang++")
        self.command = [driver]
        self.is_foreign = machine != host
        if self.is_foreign and "clang" in compiler:
            self.command += [f"--target={machine}-linux-gnu"]
        elif self.is_foreign:
            self.command = [CROSS_GCC.get(driver, "none")]
        self.link = ["-fuse-ld=lld"] if "clang" in compiler else []

    def name(self):
        return " ".join([self.machine, self.compiler, "C++" if self.is_cxx else "C"] + self.options)

    def missing(self):
        wanted = [self.command[0]] + (["ld.lld"] if self.link else [])
        if self.is_foreign:
            wanted.append(emulator(self.machine))
        return [tool for tool in wanted if not shutil.which(tool)]


def emulator(machine):
    static = f"qemu-{machine}-static"
    return static if shutil.which(static) else f"qemu-{machine}"


def run(command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        print(f"compare.py: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[:4000]}", file=sys.stderr)
        sys.exit(1)
    return done.stdout


def operand(text):
    kind, rest = text[0], text[1:]
    if kind == "c":
        return f"{{'c', 0, {rest}}}"
    offset, _, displacement = rest.partition("+")
    return f"{{'{kind}', {offset}, {displacement or 0}}}"


def table(answers):
    """The positions as source, by the lines of abi_places for each question."""
    rows = []
    for question, lines in enumerate(answers):
        for number, parameter, mode, *operands in lines:
            if mode != "X":
                rows.append(f"{{{question}, {number}, {parameter}, '{mode}', {len(operands)}, {{{', '.join(map(operand, operands))}}}}}")
    return ('#include "check.h"\nconst struct abi_place abi_places[] = {' + ",\n".join(rows or ["{0}"]) +
            f"}};\nconst unsigned abi_nr_places = {len(rows)};\n")


class Comparison:
    def __init__(self, config, arguments, folder):
        self.config, self.arguments, self.folder = config, arguments, folder
        self.suffix = ".cc" if config.is_cxx else ".c"
        self.flags = ["-w", "-g", "-fno-exceptions", "-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fno-strict-aliasing",
                      "-fno-builtin", "-ffreestanding", f"-I{HERE}"] + config.options
        self.flags += ["-std=gnu++20", "-fno-rtti", "-fno-threadsafe-statics"] if config.is_cxx else ["-std=gnu17"]

    def compile(self, source, output, *flags):
        run(self.config.command + self.flags + [*flags, "-c", source, "-o", output])

    def callee(self, level):
        path = self.folder / f"callees{level}.so"
        self.compile(self.folder / f"callees{self.suffix}", path.with_suffix(".o"), level, "-fPIC")
        run(self.config.command + self.config.link + ["-shared", "-nostdlib", path.with_suffix(".o"), "-o", path])
        return path

    def answers(self, path, *flags):
        text = run(self.arguments.places.replace(";", " ").split() + [*flags, self.config.machine, path])
        return [line.split(" ") for line in text.splitlines()]

    def run(self):
        generated = lists.Lists(lists.Target(self.config.machine, self.config.compiler, self.config.is_cxx),
                                f"{self.arguments.seed} {self.config.name()}", self.arguments.lists)
        used = random.Random(self.arguments.seed)
        (self.folder / f"callees{self.suffix}").write_text(generated.callees(lambda *_: used.random() < 0.6))
        (self.folder / f"callers{self.suffix}").write_text(generated.callers())
        unoptimised, optimised = self.callee("-O0"), self.callee("-O2")
        answers = [self.answers(unoptimised)]
        if self.config.machine == self.arguments.typed:
            answers += [self.answers(unoptimised, "--typed"), self.answers(optimised, "--typed")]
        (self.folder / "table.c").write_text(table(answers))
        self.compile(self.folder / f"callers{self.suffix}", self.folder / "callers.o", generated.random.choice(["-O0", "-O1", "-O2"]), "-fno-pie")
        c_compiler = Config(self.config.machine, self.config.compiler, False, self.config.options)
        objects = [self.folder / "callers.o"]
        for source in (HERE / "check.c", self.folder / "table.c", HERE / f"start_{self.config.machine}.S", self.folder / "functions.S"):
            if source.name == "functions.S":
                source.write_text(self.functions(len(generated.functions)))
            objects.append(self.folder / (source.name + ".o"))
            run(c_compiler.command + ["-w", "-O1", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-fno-pie", f"-I{HERE}", "-c", source, "-o", objects[-1]])
        program = self.folder / "program"
        run(c_compiler.command + self.config.link + ["-static", "-nostdlib", "-no-pie", *objects, "-o", program])
        command = [program]
        if self.config.is_foreign:
            command = [emulator(self.config.machine), program]
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True)
        return self.tally(answers, done, len(generated.functions), generated)

    def functions(self, count):
        jump = {"x86_64": "movl ${0}, abi_list_called(%rip)\n  jmp abi_function", "aarch64": "adrp x16, abi_list_called\n  add x16, x16, :lo12:abi_list_called\n  movz w17, #{0}\n  str w17, [x16]\n  b abi_function"}
        body = "".join(f".globl f{i}\nf{i}:\n  {jump[self.config.machine].format(i)}\n" for i in range(count))
        return body + '.section .note.GNU-stack,"",%progbits\n'.replace("%", "@" if self.config.machine == "x86_64" else "%")

    def tally(self, answers, done, count, generated):
        lines = done.stdout.splitlines()
        called = sum(line.startswith("called") for line in lines)
        problems = []
        if done.returncode != 0 or called != count:
            problems.append(f"the program called {called} of {count} functions and ended with {done.returncode}")
        wrong = {tuple(map(int, line.split()[1:4])) for line in lines if line.startswith("wrong")}
        totals = []
        reasons = collections.Counter()
        for question, rows in enumerate(answers):
            refused = [row for row in rows if row[2] == "X"]
            bad = [row for row in rows if (question, int(row[0]), int(row[1])) in wrong]
            totals.append((len(rows), len(rows) - len(refused) - len(bad), len(refused), len(bad)))
            reasons.update((QUESTIONS[question], " ".join(row[3:])) for row in refused)
            for row in bad:
                declared = generated.prototype(generated.functions[int(row[0])], False)[1]
                problems.append(f"{QUESTIONS[question]}: parameter {row[1]} of {declared}: {' '.join(row[2:])}")
        return totals, reasons, problems


def configs(arguments):
    for machine in arguments.machine or ["x86_64", "aarch64"]:
        for compiler in arguments.compiler or ["gcc", "clang-19"]:
            for is_cxx in (False, True):
                yield Config(machine, compiler, is_cxx)
                if machine == "x86_64" == os.uname().machine and has_cpu_flag("avx2") and not is_cxx:
                    yield Config(machine, compiler, is_cxx, ["-mavx2"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--places", required=True)
    parser.add_argument("--typed", default=os.uname().machine, help="the machine that the command is for")
    parser.add_argument("--lists", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--machine", action="append")
    parser.add_argument("--compiler", action="append")
    parser.add_argument("--keep")
    parser.add_argument("--reasons", action="store_true", help="say why parameters were refused")
    arguments = parser.parse_args()
    failed, compared = False, 0
    print(f"{'':34}{'question':12}{'lists':>7}{'parameters':>12}{'equal':>8}{'refused':>9}{'wrong':>7}")
    for config in configs(arguments):
        if config.missing():
            print(f"{config.name():34}skipped: no {', '.join(config.missing())}")
            continue
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            if arguments.keep:
                folder = pathlib.Path(arguments.keep) / config.name().replace(" ", "_").replace("+", "p")
                folder.mkdir(parents=True, exist_ok=True)
            totals, reasons, problems = Comparison(config, arguments, folder).run()
        for question, (parameters, equal, refused, wrong) in zip(QUESTIONS, totals):
            print(f"{config.name():34}{question:12}{arguments.lists:7}{parameters:12}{equal:8}{refused:9}{wrong:7}", flush=True)
        if arguments.reasons:
            for (question, reason), count in reasons.most_common():
                print(f"    {count:6} {question}: {reason}")
        for problem in problems[:40]:
            print("    " + problem)
        failed |= bool(problems)
        compared += 1
    if compared == 0:
        print("compare.py: nothing could be compared", file=sys.stderr)
        sys.exit(1)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
