# SPDX-License-Identifier: Apache-2.0
"""Real programs whose user stacks `bench/stacks` samples, as Debian ships them, each busy until it is ended."""

import glob
import os
import shutil
import subprocess
import typing

CPP = """#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <unordered_map>
#include <variant>
#include <vector>
""" + '\n'.join(f"""
struct key{n} {{ int a, b; auto operator<=>(const key{n} &) const = default; }};
std::map<key{n}, std::variant<int, std::string, std::vector<key{n}>>> table{n};
int work{n}(const std::string &text) {{
  std::regex pattern("(a|b)*c{n}");
  std::vector<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) words.push_back(at->str());
  std::sort(words.begin(), words.end(), [](auto &x, auto &y) {{ return x.size() < y.size(); }});
  for (auto &word : words) table{n}[{{int(word.size()), {n}}}] = word;
  return int(table{n}.size());
}}""" for n in range(5)) + '\n'

PYTHON = """
import re
class Tree:
    def __init__(self, depth): self.kids = [Tree(depth - 1) for _ in range(3)] if depth else []
    def sum(self): return 1 + sum(kid.sum() for kid in self.kids)
while True:
    Tree(7).sum(); sorted([str(n) for n in range(2000)], key=lambda s: re.sub('1', '2', s))
"""
PERL = """
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
while (1) { fib(15); my @w = sort { $a cmp $b } map { join ',', split //, $_ * 7919 } 1..2000; s/1+/x/g for @w; }
"""
NODE = """
class Tree { constructor(d) { this.kids = d ? [1, 2, 3].map(() => new Tree(d - 1)) : []; }
  sum() { return this.kids.reduce((n, kid) => n + kid.sum(), 1); } }
for (;;) { new Tree(7).sum(); JSON.parse(JSON.stringify([...Array(2000).keys()].map(n => ({n, s: String(n)})))).sort((a, b) => b.n - a.n); }
"""
SQL = "SELECT count(*), sum(length(a.s || b.s)) FROM (SELECT md5(n::text) s FROM generate_series(1, 3000) n) a, " \
      "(SELECT md5(n::text) s FROM generate_series(1, 1000) n) b WHERE a.s < b.s AND b.s LIKE '%a%'"



# Its garbage collector descends thousands of frames.
NO_COLLECTION = '--param ggc-min-heapsize=4000000'

JAVA = ('{java} {options} sun.security.tools.keytool.Main -genkeypair -keyalg RSA -keysize {bits} '
        '-keystore {folder}/keys.$$.$((n += 1)) -storepass secret -dname CN=a -alias a')

# A loop at a known depth, which says what processor time a fixed amount of work took: nanoseconds.
DEPTH = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static volatile unsigned long sink;
__attribute__((noinline)) static void work(void) {
  struct timespec from, to;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  for (unsigned long i = 0; i < 2000000000ul; i++) sink = i;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  printf("%ld\n", (to.tv_sec - from.tv_sec) * 1000000000L + to.tv_nsec - from.tv_nsec);
  fflush(stdout);
}
__attribute__((noinline)) static int descend(int n) {
  if (n == 0) return work(), 1;
  int depth = descend(n - 1);
  __asm__ volatile("");
  return depth + 1;
}
int main(int argc, char **argv) { return descend(atoi(argv[1])) == 0; }
"""


class Program(typing.NamedTuple):
    command: str | None  # a script without arguments; None: not installed
    comm: str            # the name of the thread that does most


class Programs:
    """Commands by name, each a script of its own in `folder`; None where a program is not installed."""

    def __init__(self, folder):
        self.folder = folder
        os.chmod(folder, 0o755)

    def file(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as out:
            out.write(text)
        os.chmod(path, mode)
        return path

    def forever(self, name, path, command):
        """A script that runs a command again and again."""
        return path and self.file(name, f'#!/bin/sh\nexec >/dev/null 2>&1\nn=0\nwhile :; do\n{command}\ndone\n', 0o755)

    def once(self, name, path, command):
        return path and self.file(name, f'#!/bin/sh\nexec {command} >/dev/null 2>&1\n', 0o755)

    def compiler(self, name, options=''):
        path = shutil.which(name)
        return self.forever(f'run-{name}', path,
                            f'{path} -std=c++20 -O2 {options} -c -o /dev/null {self.file("big.cpp", CPP)}')

    def script(self, path, text):
        name = os.path.basename(path)
        return self.once(f'run-{name}', os.path.exists(path) and path, f'{path} {self.file(f"{name}.script", text)}')

    def java(self, name, bits, options=''):
        path = shutil.which('java')
        return self.forever(name, path, JAVA.format(java=path, folder=self.folder, bits=bits, options=options))

    def ripgrep(self):
        path = shutil.which('rg')
        return self.forever('run-rg', path, f'{path} -uuu -c "(a|b)+[c-x]{{3}}e.*(q|z)" /usr/share')

    def gofmt(self):
        path = shutil.which('gofmt')
        return self.forever('run-gofmt', path, f'{path} -l /usr/lib/go-*/src/cmd')

    def postgres(self):
        """One process, which runs the statements of its standard input; jit off."""
        binaries = sorted(glob.glob('/usr/lib/postgresql/*/bin'))
        if not binaries:
            return None
        data = os.path.join(self.folder, 'postgres')
        os.makedirs(data)
        shutil.chown(data, 'postgres')
        as_user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
        subprocess.run([*as_user, f'{binaries[-1]}/initdb', '-D', data], check=True, capture_output=True)
        statements = self.file('statements', (SQL + '\n') * 1000)
        return self.once('run-postgres', data, f'{" ".join(as_user)} {binaries[-1]}/postgres --single -c jit=off -D {data} '
                         f'postgres <{statements}')

    def all(self):
        """Programs by name, those that are not installed without a command."""
        return {
            'g++ -O2': Program(self.compiler('g++', NO_COLLECTION), 'cc1plus'),
            'clang++ -O2': Program(self.compiler('clang++-19'), 'clang++-19'),
            'python3': Program(self.script('/usr/bin/python3', PYTHON), 'python3'),
            'perl': Program(self.script('/usr/bin/perl', PERL), 'perl'),
            'postgres': Program(self.postgres(), 'postgres'),
            'node': Program(self.script('/usr/bin/node', NODE), 'node'),
            'java': Program(self.java('run-java', 8192), 'java'),
            'java -Xint': Program(self.java('run-java-xint', 3072, '-Xint -Xshare:off'), 'java'),
            'rust (rg)': Program(self.ripgrep(), 'rg'),
            'go (gofmt)': Program(self.gofmt(), 'gofmt'),
        }

    def depth(self):
        """A program that works at a depth, without frame pointers. Its argument is the depth."""
        binary = os.path.join(self.folder, 'depth')
        subprocess.run(['gcc', '-O2', '-fno-optimize-sibling-calls', '-o', binary, self.file('depth.c', DEPTH)], check=True)
        return binary
