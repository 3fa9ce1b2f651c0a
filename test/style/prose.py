#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds words and shapes of sentences that make our texts hard to read: in documents, manual pages, messages and comments.

    prose.py               fails on what test/style/prose.known does not allow
    prose.py FILE...       lists everything in these files, allowed or not
    prose.py --count       writes the numbers of test/style/prose.known anew, which may only fall

test/style/prose.known has the exceptions: phrases that are right where they stand, and how many of a kind a file may still
have. Documents, manual pages and tables of messages have none of the second sort, but for long sentences."""
import collections
import os
import re
import subprocess
import sys

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
KNOWN = 'test/style/prose.known'
MAX_WORDS = 25

# A kind, what it looks like, and what to write.
RULES = [
    ('told', r"\b(is|are|was|were|be|been|being|not|anew|unless) told\b|\btold (in|of|by|about|apart|that)\b|\btell(s|ing)? (of|apart)\b|\bof what it is told\b",
     'report, notify, distinguish, or "defined by a D clause"'),
    ('news', r'\bnews\b(?! file)', 'notification, event'),
    ('place', r'\bplaces?\b(?<!in place)(?!holder)', 'offset, address, location, slot or position'),
    ('join', r'\bjoining\b|\bjoins? (it|in|them|the other|what|where)\b|\blets? go of\b|\bletting go\b', 'attach, detach, merge or concatenate'),
    ('whoever', r'\b[Ww]hoever\b|\b[Ww]hom\b|(?:^|[.;] )Who (?!.*\?)', 'the noun: the process, the caller, the consumer'),
    ('fronted', r'(?:^|(?<!v)[.:;] )Of (?!course)\w|\bFor want of\b|\bfor want of\b|\bBut for\b|\bbut for\b|(?:^|[.] )Were \w+ \w', 'the subject first'),
    ('felt', r'\bfelt like\b|\bfeels? like\b|\bcomplain(s|t|ts|ed)?\b|\bstands? in the way\b|\bin the way\b', 'report, fail, prevent'),
    ('most', r'\bkMost\w*', 'kMax'),
    ('long', None, f'sentences of at most {MAX_WORDS} words'),
]
CODE = re.compile(r'``.+?``|`[^`]*`|"[^"]*"|\bhttps?://\S+')
COMMENTED = ('.cpp', '.h', '.c', '.def', '.d', '.inc')
HASHED = ('.py', '.sh', '.cmake')
LONG_IN = ('.md', '.1', '.3', '.8')


def files():
    """The files of the tree; of a tarball all but what was built."""
    tracked = subprocess.run(['git', '-C', TOP, 'ls-files'], capture_output=True, text=True, check=False)
    if tracked.returncode == 0 and tracked.stdout:
        return tracked.stdout.split('\n')
    return [os.path.relpath(os.path.join(folder, name), TOP) for folder, _, names in os.walk(TOP) for name in names
            if not os.path.relpath(folder, TOP).startswith(('build', '.git'))]


def is_document(path):
    return path.endswith(LONG_IN) or path in ('README.md', 'NEWS.md')


def plain(text):
    """Without code and markup, so that a name in code is no word."""
    text = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', text)
    return CODE.sub('X', text)


def markdown(lines):
    """Pairs of a line's number and a paragraph, a cell or an item."""
    paragraph, start, fenced, before = [], 0, False, ''
    for number, line in enumerate(lines + [''], 1):
        if line.startswith('```'):
            fenced = not fenced
        is_code = fenced or line.startswith('    ') and not paragraph
        breaks = not line.strip() or is_code or line.startswith(('#', '|', '```')) or re.match(r'\s*([-*]|\d+\.) ', line)
        if breaks and paragraph:
            yield start, ' '.join(paragraph)
            paragraph = []
        if is_code or line.startswith('```') or not line.strip():
            continue
        if line.startswith('|'):
            for cell in re.split(r'(?<!\\)\|', line)[1:-1]:
                yield number, cell.strip(' -')
        elif line.startswith('#'):
            yield number, line.strip('# ')
        else:
            if not paragraph:
                start = number
            paragraph.append(re.sub(r'^\s*([-*]|\d+\.) ', '', line).strip())


def manual(lines):
    paragraph, start, literal = [], 1, False
    for number, line in enumerate(lines + ['.Pp'], 1):
        if line.startswith('.Bd'):
            literal = True
        if literal:
            literal = not line.startswith('.Ed')
            continue
        if re.match(r'\.(Pp|It|Bl|El|Sh|Ss|Bd|Ed|PP|TP|SH|Dl|D1)\b', line):
            if paragraph:
                yield start, ' '.join(paragraph)
            paragraph, start = [], number
            continue
        if line.startswith('.\\"'):
            continue
        if line.startswith('.'):
            # The arguments of a macro are code, but for the punctuation behind them.
            line = 'X' + ''.join(re.findall(r' ([.,;:)]) *$', line)) if not line.startswith(('.Dq', '.Po', '.Pc')) else line[4:]
        paragraph.append(line)


def comments(text, is_hash):
    """Pairs of a line's number and a block of comments, and the strings that are messages."""
    lines = text.split('\n')
    block, start = [], 0
    inside = False
    for number, line in enumerate(lines + [''], 1):
        found = None
        if is_hash:
            match = re.match(r'\s*#(?!!)\s?(.*)', line) or re.match(r'.*?\s#\s(.*)', line)
            found = match[1] if match else None
            alone = bool(match) and line.lstrip().startswith('#')
        else:
            match = re.match(r'(\s*)(?:///?<?|/\*+|\*)\s?(.*?)(?:\*/)?$', line) if inside == line.lstrip().startswith('*') else None
            alone = bool(match)
            if inside and not match:
                found, alone = line.strip().removesuffix('*/'), True
            elif match:
                found = match[2]
            else:
                trailing = re.search(r'(?:(?<!:)//[/<!]*|/\*)\s(.*?)(?:\*/)?$', line)
                found = trailing[1] if trailing else None
            if re.search(r'/\*(?!.*\*/)', line):
                inside = True
            elif '*/' in line:
                inside = False
        if found is None or not alone or not found.strip():
            if block:
                yield start, ' '.join(block)
                block = []
        if found is not None and found.strip():
            if not block:
                start = number
            block.append(found.strip())
            if not alone:
                yield start, ' '.join(block)
                block = []


def messages(text):
    """Strings of several words: what users see."""
    for number, line in enumerate(text.split('\n'), 1):
        if re.match(r'\s*(//|\*|/\*|#include)', line) or 'TEST_CASE' in line:
            continue
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
            if len(re.findall(r'[a-z]{2,} ', literal)) >= 3:
                yield number, literal


def texts(path):
    with open(os.path.join(TOP, path), encoding='utf-8', errors='replace') as file:
        text = file.read()
    if path.endswith('.md'):
        yield from markdown(text.split('\n'))
    elif re.search(r'\.[138]$', path):
        yield from manual(text.split('\n'))
    elif path.endswith(COMMENTED):
        yield from comments(text, False)
        if path.startswith(('src/', 'usdt/')):
            yield from messages(text)
    elif path.endswith(HASHED) or path in ('check', 'run') or os.path.basename(path) == 'CMakeLists.txt' or path.startswith('scripts/'):
        yield from comments(text, True)


def findings(path):
    """Triples of a line's number, a kind and what was found."""
    if path.endswith(('.cpp', '.h', '.c')):
        with open(os.path.join(TOP, path), encoding='utf-8', errors='replace') as file:
            for number, line in enumerate(file, 1):
                for match in re.finditer(RULES[-2][1], line):
                    yield number, 'most', match[0]
    for number, text in texts(path):
        text = plain(text)
        for kind, pattern, _ in RULES:
            if kind == 'most':
                continue
            if pattern is not None:
                for match in re.finditer(pattern, text):
                    yield number, kind, text[max(0, match.start() - 30):match.end() + 30]
            elif is_document(path):
                text = re.sub(r'\bX(,? ((and|or) )?X\b)+', 'X', text)  # a list of names is read as one
                for sentence in re.split(r'(?<=[.;:?!])\s+', text):
                    if len(re.findall(r"[A-Za-z][\w'-]*", sentence)) > MAX_WORDS:
                        yield number, kind, sentence[:70] + '...'


def known():
    """Phrases by file, or by * for all files; and how many of a kind a file may have."""
    phrases, counts = collections.defaultdict(list), {}
    with open(os.path.join(TOP, KNOWN), encoding='utf-8') as file:
        for line in file:
            if line.startswith('#') or not line.strip():
                continue
            path, kind, rest = line.rstrip('\n').split(None, 2)
            if kind == 'phrase':
                phrases[path].append(rest)
            else:
                counts[path, kind] = int(rest)
    return phrases, counts


def is_checked(path):
    return bool(path) and not path.startswith(('test/golden/grammar/', 'test/fuzz/corpus/')) and os.path.isfile(os.path.join(TOP, path)) and \
        not os.path.islink(os.path.join(TOP, path)) and path != 'test/style/prose.py'


def main(arguments):
    phrases, counts = known()
    now, where = collections.Counter(), collections.defaultdict(list)
    chosen = [path for path in arguments if not path.startswith('--')]
    for path in chosen or files():
        if not is_checked(path):
            continue
        for number, kind, found in findings(path):
            if any(phrase in found for phrase in phrases['*'] + phrases[path]):
                continue
            now[path, kind] += 1
            where[path, kind].append(f'{path}:{number}: {kind}: {found}')
    if chosen:
        print('\n'.join(line for lines in where.values() for line in lines))
        return 0
    if '--count' in arguments:
        with open(os.path.join(TOP, KNOWN), encoding='utf-8') as file:
            kept = [line for line in file if line.startswith('#') or not line.strip() or ' phrase ' in line]
        with open(os.path.join(TOP, KNOWN), 'w', encoding='utf-8') as file:
            file.writelines(kept + [f'{path} {kind} {number}\n' for (path, kind), number in sorted(now.items())])
        return 0
    advice = {kind: text for kind, _, text in RULES}
    wrong = []
    for (path, kind), number in sorted(now.items()):
        if number > counts.get((path, kind), 0):
            wrong += where[path, kind] + [f'  {path} may have {counts.get((path, kind), 0)}; write: {advice[kind]}']
    print(f'{sum(now.values())} known exceptions in {len({path for path, _ in now})} files')
    return '\n'.join(wrong) if wrong else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
