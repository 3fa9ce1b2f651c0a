# SPDX-License-Identifier: Apache-2.0
"""Programs whose frames are of every kind, and what the pages of format flame hold, for the golden scripts of this folder."""
import html
import json
import re
import subprocess

# outer() calls work(), inlined, three times, and other() once; each makes one system call. With an argument, one is made below
# 200 frames.
PROGRAM = r'''
#include <sys/syscall.h>
#include <unistd.h>
static inline __attribute__((always_inline)) int work(int v) { return syscall(SYS_getppid) + v; }
__attribute__((noinline)) int outer(int v) { int sum = work(v); sum += work(sum); return sum + work(sum); }
__attribute__((noinline)) int other(int v) { return syscall(SYS_getppid) + v; }
__attribute__((noinline)) int deep(int v) { return v == 0 ? other(v) : deep(v - 1) + 1; }
int main(int argc, char **argv) { (void)argv; return argc > 1 ? deep(200) == 0 : outer(argc) + other(argc) == 0; }
'''
PYTHON = '''import os
def leaf(): os.getppid()
def branch(): leaf()
branch()
'''


def build(folder):
    """The program; the word of its -c."""
    with open(f'{folder}/shape.c', 'w') as file:
        file.write(PROGRAM)
    subprocess.run(['gcc', '-O2', '-fno-optimize-sibling-calls', '-g', '-o', f'{folder}/shape', f'{folder}/shape.c'], check=True)
    with open(f'{folder}/leaf.py', 'w') as file:
        file.write(PYTHON)
    return f'{folder}/shape'


def build_steps(folder):
    """Writes 8 bytes four times, waits for the file `go`, and writes 1, 2, 3 and 4 bytes; the word of its -c."""
    with open(f'{folder}/steps.sh', 'w') as file:
        file.write('for i in 1 2 3 4; do printf 01234567; done >/dev/null\nuntil [ -e go ]; do sleep 0.01; done\n'
                   'for text in 1 22 333 4444; do printf $text; done >/dev/null\n')
    return '/bin/sh steps.sh'


def trace(dtrace, *arguments, status=0, stderr=''):
    """Runs dtrace, and prints what is unexpected."""
    ran = subprocess.run([dtrace, '-q', *arguments], capture_output=True, text=True)
    if ran.returncode != status or not re.fullmatch(stderr, ran.stderr, re.S):
        print(f'status {ran.returncode}: {ran.stdout[:300]}{ran.stderr[:500]}')
    return ran.stdout


class Page:
    """A page of format flame: `run`, and `views` by name, each {path of (name, kind): value}."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            self.text = file.read()
        scripts = re.findall(r'<script type="application/json" id="run">(.*?)</script', self.text, re.S)
        if len(scripts) != 1 or '<' in scripts[0]:
            raise ValueError('the data of the page could be taken for elements')
        data = json.loads(scripts[0])
        self.run, self.notes = data['run'], {}
        kinds = [word for word, _ in data['kinds']]
        for name, kind, *note in data['frames']:
            self.notes[name, kinds[kind]] = note[0] if note else ''
        self.views = {}
        for view in data['views']:
            values, path = {}, []
            for frame, depth, value in zip(view['frames'], view['depths'], view['values'], strict=True):
                name, kind = data['frames'][frame][:2]
                path[depth:] = [(name, kinds[kind])]
                if value or tuple(path) in values:
                    values[tuple(path)] = values.get(tuple(path), 0) + value
            self.views[view['name']] = values

    def folded(self, prefix=False):
        """As format folded has it, without lines of no value; `prefix`: with the name of the view."""
        lines = {}
        for view, values in self.views.items():
            for path, value in values.items():
                words = [view] * prefix + [name.replace(';', ':') + ('_[k]' if kind == 'kernel' else '') for name, kind in path]
                lines[';'.join(words)] = lines.get(';'.join(words), 0) + value
        return lines


def titles(path):
    """The tooltips of an SVG's frames: (kind, name, value), in the order of the file."""
    import xml.etree.ElementTree as tree
    space = '{http://www.w3.org/2000/svg}'
    found = []
    for group in tree.parse(path).getroot().iter(f'{space}g'):
        title = group.find(f'{space}title')
        if title is not None:
            name, _, value = title.text.split('\n')
            found.append((group.get('class'), html.unescape(name), int(value.split()[0])))
    return found
