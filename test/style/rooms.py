#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which room includes which: prints the matrix, and fails if a room includes what it may not.

The rooms stand in the order of their ranks; a room includes only those above it in the list, so that the matrix is a
triangle, and of these only the ones it names. Packages (LLVM, libbpf, libelf) are had by the rooms that name them."""
import os
import re
import sys

# A room's path; what it may include beside itself: rooms, as paths of which all below is meant; then packages.
ROOMS = [
    ('bpf', [], []),
    ('src/base', [], []),
    ('src/frontend/text', ['src/base'], []),
    ('src/frontend/types', ['src/base', 'src/frontend/text'], []),
    ('src/frontend/lang', ['src/base', 'src/frontend/text', 'src/frontend/types'], []),
    ('src/frontend/syntax', ['src/base', 'src/frontend/text', 'src/frontend/types', 'src/frontend/lang'], []),
    ('src/frontend/tree', ['src/base', 'src/frontend/text', 'src/frontend/types', 'src/frontend/lang'], []),
    ('src/frontend/check', ['src/base', 'src/frontend'], []),
    ('src/plan', ['src/base', 'bpf', 'src/frontend/text', 'src/frontend/types', 'src/frontend/lang'], []),
    ('src/instructions', ['src/base'], ['llvm']),
    ('usdt', ['src/base', 'src/plan', 'src/frontend/text', 'src/frontend/types', 'src/frontend/lang'], ['elf']),
    ('src/codegen/planning', ['src/base', 'bpf', 'src/plan', 'src/frontend'], []),
    ('src/codegen/llvm', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/codegen/planning'], ['llvm']),
    ('src/codegen/arch', [], []),
    ('src/codegen/clause', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/codegen/planning', 'src/codegen/llvm',
                            'src/codegen/arch'], ['llvm']),
    ('src/codegen/subroutines', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/codegen'], ['llvm']),
    ('src/codegen', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/codegen'], ['llvm']),
    ('src/runtime/foreign', ['src/base', 'usdt'], []),
    ('src/runtime/symbols', ['src/base', 'usdt', 'src/runtime/foreign'], ['elf', 'llvm']),
    ('src/runtime/kernel', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/runtime/symbols'], ['bpf', 'elf']),
    ('src/runtime/process', ['src/base', 'src/frontend', 'usdt', 'src/runtime/foreign', 'src/runtime/symbols'], []),
    ('src/runtime/attach', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/runtime/kernel'], ['bpf']),
    ('src/runtime/user', ['src/base', 'bpf', 'src/plan', 'src/instructions', 'src/frontend', 'usdt', 'src/runtime/symbols',
                          'src/runtime/foreign', 'src/runtime/attach'], ['bpf', 'elf']),
    ('src/runtime/usdt', ['src/base', 'src/plan', 'src/frontend', 'usdt', 'src/runtime/foreign', 'src/runtime/symbols',
                          'src/runtime/user'], ['elf']),
    ('src/runtime/probes', ['src/base', 'src/plan', 'src/frontend', 'usdt', 'src/runtime/foreign', 'src/runtime/kernel', 'src/runtime/process',
                            'src/runtime/symbols', 'src/runtime/user', 'src/runtime/usdt'], []),
    ('src/runtime/load', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/runtime/attach', 'src/runtime/symbols'], ['bpf']),
    ('src/runtime/events', ['src/base', 'src/plan', 'src/frontend'], []),
    ('src/runtime/print', ['src/base', 'src/frontend', 'src/plan', 'src/runtime/events', 'src/runtime/symbols'], []),
    ('src/runtime/output', ['src/base', 'src/plan', 'src/frontend', 'src/runtime/events', 'src/runtime/print', 'src/runtime/symbols'], []),
    ('src/runtime/consume', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/runtime'], ['bpf']),
    ('src/runtime/late', ['src/base', 'bpf', 'src/plan', 'src/frontend', 'src/runtime'], ['bpf']),
    ('src/tracer', ['src/base', 'src/plan', 'src/frontend', 'src/codegen', 'src/runtime'], []),
    ('src/build_tools', ['src/base', 'src/frontend', 'src/runtime', 'usdt'], []),
    ('src/main', ['src', 'usdt', 'bpf'], []),
]
# What the tracer must not see, though it lies in a room that it may include: the compiler's own trees.
COMPILER = ('src/frontend/tree', 'src/frontend/check', 'src/frontend/syntax')
EXCEPTIONS = {
    ('src/runtime/usdt', 'src/frontend/check'): 'declare.h and library.h, which show no tree',
    ('src/runtime/process', 'src/frontend/syntax'): 'preprocess.h: what to run is decided by the front end',
}
PACKAGES = [('llvm', re.compile(r'<llvm/')), ('bpf', re.compile(r'<bpf/')), ('elf', re.compile(r'<(gelf|libelf|dwarf|elfutils/)'))]


def room_of(path):
    inside = [room for room, _, _ in ROOMS if path.startswith(room + '/')]
    return max(inside, key=len) if inside else None


def includes_of(path, top):
    """The rooms' files and the packages that a file includes, with their lines."""
    with open(os.path.join(top, path), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            if found := re.match(r'\s*#\s*include\s*(["<][^">]+[">])', line):
                yield number, found.group(1)


def resolve(include, path, top):
    name = include[1:-1]
    for candidate in (os.path.join('src', name), name, os.path.join(os.path.dirname(path), name)):
        if os.path.exists(os.path.join(top, candidate)):
            return os.path.normpath(candidate)
    return None


def main():
    top = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
    order = [room for room, _, _ in ROOMS]
    allowed = {room: rooms for room, rooms, _ in ROOMS}
    packages = {room: names for room, _, names in ROOMS}
    matrix, wrong = {}, []
    for folder in ('src', 'usdt', 'bpf'):
        for directory, _, files in os.walk(os.path.join(top, folder)):
            for file in sorted(files):
                if not file.endswith(('.cpp', '.h', '.c', '.def')):
                    continue
                path = os.path.relpath(os.path.join(directory, file), top)
                room = room_of(path)
                if room is None:
                    wrong.append(f'{path}: in no room')
                    continue
                for line, include in includes_of(path, top):
                    place = f'{path}:{line}: {include}'
                    for package, pattern in PACKAGES:
                        if pattern.match(include) and package not in packages[room] and room != 'bpf':
                            wrong.append(f'{place}: {room} does without {package}')
                    target = resolve(include, path, top) if include[0] == '"' else None
                    seen = room_of(target) if target else None
                    if seen is None or seen == room:
                        continue
                    matrix[room, seen] = matrix.get((room, seen), 0) + 1
                    may = any(seen == one or seen.startswith(one + '/') for one in allowed[room])
                    is_compilers = seen in COMPILER and room.startswith('src/runtime') and (room, seen) not in EXCEPTIONS
                    public = room.startswith(seen + '/') and seen == 'src/codegen' and target.endswith('.h')
                    if not (may and order.index(seen) < order.index(room)) and not public or is_compilers:
                        wrong.append(f'{place}: {room} may not include {seen}')
    width = max(map(len, order))
    shown = [room for room in order if any(room in pair for pair in matrix)]
    print(' ' * (width + 3) + ' '.join(f'{n:>3}' for n in range(1, len(shown) + 1)))
    for number, room in enumerate(shown, 1):
        cells = (str(matrix.get((room, seen), '.')) for seen in shown[:number - 1])
        print(f'{number:>2} {room:<{width}}' + ' '.join(f'{cell:>3}' for cell in cells))
    for text in wrong:
        print(text, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
