# SPDX-License-Identifier: Apache-2.0
"""A program made of pieces by a seed: which pieces, in what order and with what numbers, compiled and linked how."""

import dataclasses
import os
import pathlib
import random
import re
import shutil
import subprocess

PIECES = pathlib.Path(__file__).resolve().parent / 'pieces'
NOT_PIECES = ('frame',)
MACHINE = os.uname().machine

# Options that may be there or not, each with what it needs besides: words of `traits()`.
COMPILE = (
    ('-fomit-frame-pointer', ''), ('-fno-omit-frame-pointer', ''), ('-fno-asynchronous-unwind-tables -fno-unwind-tables', ''),
    ('-fcf-protection=full', 'x86_64'), ('-fcf-protection=none', 'x86_64'), ('-fno-plt', ''), ('-fstack-protector-all', ''),
    ('-fstack-clash-protection', ''), ('-mno-red-zone', 'x86_64'), ('-fpatchable-function-entry=4', ''),
    ('-fno-optimize-sibling-calls', ''), ('-ffunction-sections', ''), ('-fexceptions', ''), ('-fnon-call-exceptions', 'gcc'),
    ('-g', ''), ('-mindirect-branch=thunk -fcf-protection=none', 'gcc x86_64'), ('-mfunction-return=thunk -fcf-protection=none', 'gcc x86_64'),
    ('-freorder-blocks-and-partition', 'gcc'), ('-mcmodel=large -fno-pic -no-pie', 'no-pie x86_64'), ('-fno-jump-tables', ''),
)
LINK = (('-Wl,-z,lazy', 'dynamic'), ('-Wl,-z,now', 'dynamic'), ('-rdynamic', 'dynamic'), ('-Wl,-z,separate-code', ''), ('-pthread', ''))
KINDS = {'pie': '-pie', 'no-pie': '-no-pie', 'static': '-static', 'static-pie': '-static-pie'}


@dataclasses.dataclass
class Piece:
    path: pathlib.Path
    flags: list = dataclasses.field(default_factory=list)
    needs: list = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return self.path.stem

    @property
    def is_cxx(self):
        return self.path.suffix == '.cpp'


def pieces():
    """Those of the folder; the lines `flags:` and `only:` of their first comments say what they are compiled with and need."""
    found = []
    for path in sorted(PIECES.iterdir()):
        if path.suffix not in ('.c', '.cpp') or path.stem in NOT_PIECES:
            continue
        text = path.read_text()
        words = {key: (re.search(rf'^// {key}: (.*)$', text, re.M) or [None, ''])[1].split() for key in ('flags', 'only')}
        found.append(Piece(path, words['flags'], words['only']))
    return found


def compilers():
    return [pair for pair in (('gcc', 'g++'), ('clang-19', 'clang++-19')) if all(map(shutil.which, pair))]


class Program:
    def __init__(self, seed):
        self.seed = seed
        chance = random.Random(seed)
        self.compiler = chance.choice(compilers())
        self.kind = chance.choices(list(KINDS), (5, 3, 2, 1))[0]
        self.level = chance.choice(('-O0', '-O1', '-O2', '-O2', '-O3', '-Os'))
        self.own_start = chance.random() < 0.2 and MACHINE == 'x86_64' and self.kind != 'static'
        self.in_library = self.kind in ('pie', 'no-pie') and chance.random() < 0.3
        traits = self.traits()
        fitting = [piece for piece in pieces() if set(piece.needs) <= traits]
        chosen = chance.sample(fitting, min(len(fitting), chance.randint(1, 5)))
        self.pieces = chosen
        self.steps = [(chance.choice(chosen).name, chance.randint(0, 63)) for _ in range(chance.randint(len(chosen), 2 * len(chosen) + 2))]
        self.options = {piece.name: self.choose(chance, COMPILE, 0.15) for piece in chosen}
        self.options['frame'] = self.choose(chance, COMPILE, 0.15)
        self.link = self.choose(chance, LINK, 0.35)

    def traits(self):
        is_static = self.kind.startswith('static')
        library = {'no-pie'} if self.kind == 'no-pie' and not self.in_library else set()
        return {MACHINE, 'static' if is_static else 'dynamic', 'gcc' if self.compiler[0] == 'gcc' else 'clang'} | library

    def choose(self, chance, table, likelihood):
        """Of those that fit, some; each is decided on, so that one more row does not change the others."""
        decided = [chance.random() < likelihood for _ in table]
        return [word for (words, needs), is_in in zip(table, decided) if is_in and set(needs.split()) <= self.traits()
                for word in words.split()]

    def source(self):
        names = sorted({name for name, _ in self.steps})
        return ('struct step { const char *name; long (*piece)(long); long n; };\n' + ''.join(f'long {name}(long);\n' for name in names) +
                'const struct step steps[] = {\n' + ''.join(f'  {{"{name}", {name}, {n}}},\n' for name, n in self.steps) +
                f'}};\nconst int nr_steps = {len(self.steps)};\n')

    def of_compiler(self, name):
        return subprocess.run([self.compiler[0], f'-print-file-name={name}'], capture_output=True, text=True, check=True).stdout.strip()

    def describe(self):
        options = {name: words for name, words in self.options.items() if words}
        return (f'{self.compiler[0]} {self.level} {self.kind}{", own start" if self.own_start else ""}{", a library" if self.in_library else ""}; '
                f'{" ".join(self.link)}; {", ".join(f"{name} {n}" for name, n in self.steps)}; '
                + '; '.join(f'{name}: {" ".join(words)}' for name, words in options.items()))

    def commands(self, folder):
        """What makes `program` in the folder: a list of commands."""
        c, cxx = self.compiler
        position = ['-fPIC'] if self.in_library else {'pie': ['-fPIE'], 'static-pie': ['-fPIE']}.get(self.kind, ['-fno-pie'])
        common = ['-w', '-fwrapv', '-I', str(PIECES), self.level, *position]
        made, objects = [], []

        def compile_one(name, path, options, is_cxx=False):
            made.append([cxx if is_cxx else c, *common, *options, '-c', '-o', f'{name}.o', str(path)])
            objects.append(f'{name}.o')

        for piece in self.pieces:
            compile_one(piece.name, piece.path, self.options[piece.name] + piece.flags, piece.is_cxx)
            if piece.name == 'assembly':
                compile_one('instructions', PIECES / 'instructions.S', [])
        inner, objects = objects, []
        compile_one('frame', PIECES / 'frame.c', self.options['frame'])
        compile_one('steps', folder / 'steps.c', [])
        linker = cxx if any(piece.is_cxx for piece in self.pieces) else c
        # -fsplit-stack says something to the linker, too.
        flags = [flag for piece in self.pieces for flag in piece.flags]
        if self.in_library:
            made.append([linker, '-shared', '-o', 'libpieces.so', *inner, *flags, '-ldl', '-pthread'])
            inner = ['-rdynamic', 'libpieces.so', '-Wl,-rpath,' + str(folder)]
        if self.own_start:
            compile_one('own_start', PIECES / 'own_start.S', [])
            # crti.o and crtn.o are left out with crt1.o; a static C library calls what is in them.
            objects += ['-nostartfiles', *(self.of_compiler(f'crt{which}.o') for which in 'in')]
        made.append([linker, KINDS[self.kind], '-o', 'program', *objects, *inner, *flags, *self.link, '-ldl', '-pthread'])
        return made

    def make(self, folder):
        """The program's path; a text: why not."""
        (folder / 'steps.c').write_text(self.source())
        for command in self.commands(folder):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                return ' '.join(command) + ': ' + (done.stderr.strip() or 'no message')[:400]
        return folder / 'program'
