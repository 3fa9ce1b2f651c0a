#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packages of two architectures are alike: the same packages, fields, files, modes, links and texts. Paths and programs differ by
architecture and nothing else. Packages with `Multi-Arch: same` have the same bytes in every file that both have.
usage: compare.py FOLDER ARCHITECTURE OTHER_FOLDER OTHER_ARCHITECTURE
"""
import re
import subprocess
import sys
import tarfile
from pathlib import Path

# Debian's architecture: words of paths, and the machine in an ELF header.
WORDS = {'amd64': ('x86_64-linux-gnu', 'x86_64', 62), 'arm64': ('aarch64-linux-gnu', 'aarch64', 183)}
# The compiler decides which of its libraries a program needs.
OF_COMPILER = {'libgcc-s1', 'libatomic1'}
FIELDS = ('Version', 'Section', 'Priority', 'Multi-Arch', 'Maintainer', 'Description', 'Suggests', 'Conflicts', 'Replaces', 'Provides',
          'Source')
wrong = []


def field(deb, name):
    return subprocess.run(['dpkg-deb', '-f', deb, name], check=True, capture_output=True, text=True).stdout.strip()


def packages(folder, architecture):
    """By name; without debug symbols, whose files are named by what is in them."""
    debs = Path(folder).glob(f'*_{architecture}.deb')
    return {deb.name.split('_')[0]: deb for deb in debs if '-dbgsym_' not in deb.name}


def dependencies(deb):
    """With names only: versions come from the symbols that a compiler chose."""
    names = {re.sub(r'[ (:|].*', '', word.strip()) for word in f"{field(deb, 'Depends')},{field(deb, 'Pre-Depends')}".split(',')}
    return names - OF_COMPILER - {''}


class Contents:
    def __init__(self, deb, architecture):
        triplet, machine, self.elf = WORDS[architecture]
        self.members, self.bytes = {}, {}
        process = subprocess.Popen(['dpkg-deb', '--fsys-tarfile', deb], stdout=subprocess.PIPE)
        with tarfile.open(fileobj=process.stdout, mode='r|') as tar:
            for member in tar:
                path, link = (text.replace(triplet, 'TRIPLET').replace(f'/{machine}', '/MACHINE')
                              for text in (member.name.rstrip('/'), member.linkname))
                self.members[path] = (member.type, oct(member.mode), link)
                if member.isfile():
                    self.bytes[path] = tar.extractfile(member).read()
        process.wait()

    def is_foreign(self, path):
        start = self.bytes[path][:20]
        return start[:4] == b'\x7fELF' and int.from_bytes(start[18:20], 'little') != self.elf


def compare(name, ours, theirs, architectures):
    for each in FIELDS:
        if field(ours, each) != field(theirs, each):
            wrong.append(f'{name}: the field {each} differs: {field(ours, each)!r}, {field(theirs, each)!r}')
    if dependencies(ours) != dependencies(theirs):
        wrong.append(f'{name}: dependencies differ: {sorted(dependencies(ours) ^ dependencies(theirs))}')
    a, b = Contents(ours, architectures[0]), Contents(theirs, architectures[1])
    for path in sorted(a.members.keys() ^ b.members.keys()):
        wrong.append(f'{name}: {path} is in one of them')
    for path in sorted(a.members.keys() & b.members.keys()):
        if a.members[path] != b.members[path]:
            wrong.append(f'{name}: {path}: {a.members[path]}, {b.members[path]}')
    for contents in (a, b):
        wrong.extend(f'{name}: {path} is a program of another machine' for path in contents.bytes if contents.is_foreign(path))
    for path in sorted(a.bytes.keys() & b.bytes.keys()):
        of_architecture = 'TRIPLET' in path or 'MACHINE' in path or a.bytes[path][:4] == b'\x7fELF'
        if not of_architecture and a.bytes[path] != b.bytes[path]:
            wrong.append(f'{name}: {path} has other bytes')
    return len(a.members)


folder, architecture, other_folder, other = sys.argv[1:]
some, others = packages(folder, architecture), packages(other_folder, other)
if some.keys() != others.keys():
    wrong.append(f'packages of one architecture only: {sorted(some.keys() ^ others.keys())}')
count = sum(compare(name, some[name], others[name], (architecture, other)) for name in sorted(some.keys() & others.keys()))
print('\n'.join(wrong) or f'ok: {len(some)} packages with {count} files and folders are those of {other}')
sys.exit(bool(wrong) or not count)
