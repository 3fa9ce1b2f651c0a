#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which room includes which: prints the matrix, and fails if a room includes what it may not.

cmake/rooms.cmake lists the rooms in the order of their ranks. A room includes only rooms that stand above it and that it
names, so that the matrix is a triangle, and headers of only those packages that it names. Each part of the tree has a
namespace, in which a name is defined once."""
import os
import re
import sys

PACKAGES = {
    'llvm': re.compile(r'<llvm/(?!Demangle/)'),
    'demangle': re.compile(r'<llvm/Demangle/'),
    'blake3': re.compile(r'<llvm-c/blake3'),
    'bpf': re.compile(r'<bpf/'),
    'elf': re.compile(r'<(gelf|libelf|dwarf|elfutils/)'),
    'zlib': re.compile(r'<zlib'),
    'zstd': re.compile(r'<zstd'),
    'protozero': re.compile(r'<protozero/'),
    'lzma': re.compile(r'<lzma'),
    'microhttpd': re.compile(r'<microhttpd'),
    'curl': re.compile(r'<curl/'),
    'json': re.compile(r'<nlohmann/'),
}
# What everyone speaks of (types, probes, plans, results) is in `dtrace` itself; the trees of the front end have their own.
NAMESPACES = {
    'src/base': ('dtrace', 'dtrace::limits'),
    'src/frontend': ('dtrace', 'dtrace::ast', 'dtrace::check', 'dtrace::tree'),
    'src/digest': ('dtrace', 'dtrace::members'),
    'src/recording': ('dtrace::recording',),
    'src/plan': ('dtrace',),
    'src/arch': ('dtrace::arch',),
    'usdt': ('dtrace::usdt',),
    'src/codegen': ('dtrace::codegen',),
    'src/runtime': ('dtrace::runtime',),
    'src/tracer': ('dtrace::tracer', 'libdtrace'),
    'src/capi': ('dtrace::capi',),
    'src/exporter': ('dtrace::exporter',),
    'src/main': ('dtrace::command',),
    'src/command_line': ('dtrace::command',),
    'src/serving': ('dtrace::command',),
    'src/build_tools': ('dtrace::command',),
}
NAMESPACE = re.compile(r'^namespace ((?:dtrace|libdtrace)[\w:]*) \{')
DEFINITION = re.compile(r'^(?:class|struct|enum class|enum) (?:[A-Z_]+ )?(\w+)(?: final)?(?: : [^;]*)? \{')
KEYWORDS = ('FLAT', 'ROOMS', 'PACKAGES', 'LLVM')


def read_rooms(top):
    """By folder, in the order of ranks: the words behind each keyword."""
    with open(os.path.join(top, 'cmake/rooms.cmake'), encoding='utf-8') as file:
        text = re.sub('#.*', '', file.read())
    rooms = {}
    for words in re.findall(r'^dtrace_room\(([^)]*)\)', text, re.MULTILINE):
        folder, *rest = words.split()
        lists = rooms[folder] = {keyword: [] for keyword in KEYWORDS}
        for word in rest:
            if word in KEYWORDS:
                current = lists[word]
            else:
                current.append(word)
    return rooms


def room_of(path, rooms):
    inside = [room for room in rooms if path.startswith(room + '/')]
    return max(inside, key=len) if inside else None


def includes_of(path, top):
    """The rooms' files and the packages that a file includes, with their lines."""
    with open(os.path.join(top, path), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            if found := re.match(r'\s*#\s*include\s*(["<][^">]+[">])', line):
                yield number, found.group(1)


def namespaces_of(path, top, defined):
    """What is wrong with the namespaces of a file. Adds the names that a header defines to `defined`."""
    allowed = next((NAMESPACES[part] for part in NAMESPACES if path.startswith(part + '/')), None)
    if allowed is None or not path.endswith(('.h', '.cpp')):
        return
    current = None
    with open(os.path.join(top, path), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            if found := NAMESPACE.match(line):
                current = found.group(1)
                if not any(current == name or current.startswith(name + '::') and name != 'dtrace' for name in allowed):
                    yield f'{path}:{number}: namespace {current}; here it is {" or ".join(allowed)}'
            elif path.endswith('.h') and current and (found := DEFINITION.match(line)):
                name = f'{current}::{found.group(1)}'
                if name in defined:
                    yield f'{path}:{number}: {name} is defined in {defined[name]} as well'
                defined[name] = path


def resolve(include, path, top):
    name = include[1:-1]
    for candidate in (os.path.join('src', name), name, os.path.join(os.path.dirname(path), name)):
        if os.path.exists(os.path.join(top, candidate)):
            return os.path.normpath(candidate)
    return None


def main():
    top = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
    rooms = read_rooms(top)
    order = list(rooms)
    matrix, wrong, defined = {}, [], {}
    for folder in ('src', 'usdt', 'bpf'):
        for directory, _, files in os.walk(os.path.join(top, folder)):
            for file in sorted(files):
                if not file.endswith(('.cpp', '.h', '.c', '.def')):
                    continue
                path = os.path.relpath(os.path.join(directory, file), top)
                room = room_of(path, rooms)
                if room is None:
                    wrong.append(f'{path}: in no room')
                    continue
                wrong += namespaces_of(path, top, defined)
                for line, include in includes_of(path, top):
                    place = f'{path}:{line}: {include}'
                    for package, pattern in PACKAGES.items():
                        if pattern.match(include) and package not in rooms[room]['PACKAGES']:
                            wrong.append(f'{place}: {room} does not name the package {package}')
                    target = resolve(include, path, top) if include[0] == '"' else None
                    seen = room_of(target, rooms) if target else None
                    if seen is None or seen == room:
                        continue
                    matrix[room, seen] = matrix.get((room, seen), 0) + 1
                    if seen not in rooms[room]['ROOMS'] or order.index(seen) > order.index(room):
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
