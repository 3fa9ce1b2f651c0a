#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files, functions and types that documents name exist; links of documents lead somewhere.

A path in `code` may leave out its first folders and its extension, and may be a glob. What stands for a name, <like this> or NAME,
may be anything."""
import fnmatch
import os
import re
import sys

import language
import prose

INSIDE = ('doc/architecture.md', 'CONTRIBUTING.md')
EXTENSIONS = r'\.(?:cpp|c|h|def|inc|py|sh|md|awk|cmake|[138*])'
# In the recipes of CONTRIBUTING.md, and what only a build or another program has.
EXAMPLES = re.compile(r'(?:^|/)(?:tst|err)\.|popcount|sumsq|nice|^libbpf|\bqemu|^dummy|vmlinux\.h$|^vm\.6|Case$|snake_case|^timeout_ns')
SOURCES = ('src/', 'usdt/', 'bpf/', 'test/', 'libdtrace-d/', 'cmake/', 'bench/', 'python/', 'tools/')


def spans(text):
    """Pairs of a line's number and what is in code on it, indented lines and fences left out."""
    for number, line in enumerate(text.split('\n'), 1):
        if not line.startswith('    '):
            for span in language.code_spans(line):
                yield number, span


def is_path(span):
    return not re.search(r'[\s(){}<>$:;="\',]', span) and not span.startswith(('/', '~', '-', '.', '#')) and \
        ('/' in span or re.search(EXTENSIONS + '$', span)) and not re.search(r'[A-Z]{4}', span)


def exists(span, paths, folders):
    name = span.rstrip('/').removeprefix('./')
    wanted = {name, '*/' + name}
    if not span.endswith('/'):
        wanted |= {name + '.*', '*/' + name + '.*'}
    if '*' in name:
        return any(fnmatch.fnmatch(path, pattern) for path in paths for pattern in wanted)
    if name in paths or name in folders or any(path.endswith('/' + name) for path in (*paths, *folders)):
        return True
    return any(re.search(r'(?:^|/)' + re.escape(name) + r'\.\w+$', path) for path in paths)


def main():
    paths = {path for path in prose.files() if path}
    folders = {folder for path in paths for folder in iter_folders(path)}
    sources = ' '.join(language.read(path) for path in paths
                       if path.startswith(SOURCES) and path.endswith(('.cpp', '.h', '.c', '.def', '.d', '.py', '.cmake', '.inc')))
    words = set(re.findall(r'\w+', sources))
    wrong = []
    nr_checked = 0
    for document in INSIDE:
        text = language.read(document)
        for number, span in spans(text):
            if is_path(span):
                found = bool(EXAMPLES.search(span)) or exists(span, paths, folders)
            elif named := re.fullmatch(r'(?:[A-Za-z]\w*::)*([A-Z][a-z]+[A-Z]\w*|[a-z]\w*_\w+|k[A-Z]\w*)(?:\(\))?', span):
                found = bool(EXAMPLES.search(span)) or named[1] in words
            else:
                continue
            nr_checked += 1
            if not found:
                wrong.append(f'{document}:{number}: there is no {span}')
        for number, line in enumerate(text.split('\n'), 1):
            command = re.match(r'    (?:\w+=\S* )*((?:\./)?(?:test|scripts|bench|\.)/[\w./-]+)', line)
            if command:
                nr_checked += 1
                if command[1].removeprefix('./') not in paths:
                    wrong.append(f'{document}:{number}: there is no {command[1]}')
    for document in (path for path in paths if path.endswith('.md')):
        for number, line in enumerate(language.read(document).split('\n'), 1):
            for link in [] if line.startswith('    ') else re.findall(r'\]\(([^)#]+)(?:#[^)]*)?\)', re.sub('`[^`]*`', '', line)):
                if re.match(r'\w+:', link):
                    continue
                nr_checked += 1
                target = os.path.normpath(os.path.join(os.path.dirname(document), link))
                if target not in paths and target not in folders:
                    wrong.append(f'{document}:{number}: the link {link} leads nowhere')
    print(f'{nr_checked} names and links of documents')
    return '\n'.join(wrong) if wrong else 0


def iter_folders(path):
    while path := os.path.dirname(path):
        yield path


if __name__ == '__main__':
    sys.exit(main())
