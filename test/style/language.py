#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc/language.md has an entry with an example for each word of D, and its columns `type`, `prototype`, `takes` and `value` are
those of the source.

    language.py            reports what is missing and what differs
    language.py --write    writes these columns from the source

test/golden/examples/tst.language.sh runs the examples."""
import os
import re
import sys

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
PAGE = 'doc/language.md'
GENERATED = ('type', 'prototype', 'takes', 'value')
MEANINGS = {'@': 'any', '$c': 'constant', '$a': '@aggregation', '$f': 'format'}
CLASSES = {'Flag': 'flag', 'Bool': 'flag', 'Scalar': 'number', 'Size': 'size', 'Time': 'time', 'Duration': 'time', 'String': 'text',
           'StringList': 'text, repeatable', 'Optional': 'text or none'}


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8') as file:
        return file.read()


def cells(line):
    """The cells of a row. `\\|` is a bar that separates nothing."""
    return [cell.strip().replace('\\|', '|') for cell in re.split(r'(?<!\\)\|', line)[1:-1]]


def row_text(row):
    return '| ' + ' | '.join(cell.replace('|', '\\|') for cell in row) + ' |'


def code_spans(text):
    return [span.strip() if ticks == 2 else span
            for span, ticks in ((two or one, 2 if two else 1) for two, one in re.findall(r'``(.+?)``(?!`)|`([^`]+)`', text))]


def tables(text):
    """Of each table: its section, its header, and pairs of a line's number and its cells."""
    section, lines = '', text.split('\n')
    number = 0
    while number < len(lines):
        if lines[number].startswith('## '):
            section = lines[number][3:]
        if lines[number].startswith('| '):
            header, rows = cells(lines[number]), []
            number += 2
            while number < len(lines) and lines[number].startswith('|'):
                rows.append((number, cells(lines[number])))
                number += 1
            yield section, header, rows
        number += 1


def code(text):
    return f'`{text}`'


def builtin_prototypes():
    found = {}
    for name, kind, prototype in re.findall(r'^BUILTIN\((\w+),\s*(\w+),\s*"([^"]*)"', read('src/frontend/lang/builtins.def'), re.M):
        for word, meaning in MEANINGS.items():
            prototype = prototype.replace(word, meaning)
        result, _, parameters = prototype.partition('(')
        separator = '' if not result or result.endswith('*') else ' '
        found[name] = code(prototype if kind == 'Agg' else f'{result}{separator}{name}({parameters}')
    return found


def option_values():
    found = {}
    for name, kind, values, when, in_program, default in re.findall(
            r'^OPTION\((\w+),\s*(\w+)(?:\("([^"]*)"\))?,\s*(\w+),\s*(\w+),\s*"([^"]*)"\)', read('src/base/options.def'), re.M):
        text = values.replace('|', ', ') if kind == 'Enum' else CLASSES[kind]
        text += f'; {default}' if default else ''
        found[name] = text + ('' if in_program == 'true' else '; not in a program')
    return found


def array(path, name):
    return re.search(rf'{name}[^=]*= *[^{{]*{{(.*?)^}}', read(path), re.M | re.S)[1]


def words_of_source():
    """By column's name: what each word has there; and of the sections without such a column, the words."""
    variables = dict(re.findall(r'^VARIABLE\((\w+), "([^"]*)"\)', read('src/frontend/lang/variables.def'), re.M))
    conversions = re.findall(r'{"(\w+)", Conversion::\w+, Accepts::\w+,\s*"([^"]*)"}', read('src/frontend/text/format_string.cpp'))
    generated = {
        'type': {name: code(kind) if kind else 'as the probe has them' for name, kind in variables.items()},
        'prototype': builtin_prototypes(),
        'takes': {'%' + name: takes.split(' (')[0] for name, takes in conversions},
        'value': option_values(),
    }
    lexer = 'src/frontend/syntax/lexer.cpp'
    keywords = re.findall(r'{"([A-Za-z]\w*|_Bool)", Tok', array(lexer, 'kKeywords'))
    punctuators = set(re.findall(r'{"([^"]+)", Tok', array(lexer, 'kPunctuators')))
    brackets = {'(', '[', '/', '/='}
    pragmas = re.findall(r'{"(\w+)", ast::Pragma', read('src/frontend/syntax/pragma.cpp')) + ['option', 'error']
    types = re.findall(r'^    (?:dtrace_own\(|{)"(\w+)"', read('src/frontend/types/types_predefined.cpp'), re.M)
    providers = re.findall(r'^PROVIDER\((\w+)', read('src/runtime/probes/providers/providers.def'), re.M)
    shown = {'pid_all': 'pid*', 'usdt': 'NAME*'}
    macros = re.search(r'{([^}]*"egid"[^}]*)}', read('src/tracer/program_reading.cpp'))[1]
    sections = {
        'Keywords': set(keywords),
        'Operators': punctuators | brackets,
        'Types': set(types) - set(keywords) | {'string', 'dt_stack_t', '_symaddr', '_usymaddr'},
        'Pragmas and control lines': {'#pragma D ' + word for word in pragmas} | {'#line', '#ident', '#error', '#pragma error'},
        'Providers': {shown.get(name, name) for name in providers},
        'Macros': {'$' + name for name in re.findall(r'"(\w+)"', macros)} | {'$0', '$1', '$$1'},
    }
    return generated, sections


def main(write):
    text = read(PAGE)
    lines = text.split('\n')
    generated, sections = words_of_source()
    seen = {column: set() for column in generated}
    seen_words = {section: set() for section in sections}
    wrong = []
    for section, header, rows in tables(text):
        for number, row in rows:
            if len(row) != len(header):
                wrong.append(f'{PAGE}:{number + 1}: {len(row)} cells, and {len(header)} columns')
                continue
            names = code_spans(row[0])
            example = row[header.index('example')] if 'example' in header else ''
            if not example:
                wrong.append(f'{PAGE}:{number + 1}: {row[0]} has no example')
            if section in seen_words:
                seen_words[section].update(names)
            column = next((word for word in header if word in GENERATED), None)
            if column is None:
                continue
            known = generated[column]
            wrong += [f'{PAGE}:{number + 1}: the source has no {name}' for name in names if name not in known]
            texts = sorted({known[name] for name in names if name in known})
            seen[column].update(names)
            want = ', '.join(texts)
            if row[header.index(column)] != want:
                if write:
                    row[header.index(column)] = want
                    lines[number] = row_text(row)
                else:
                    wrong.append(f'{PAGE}:{number + 1}: {row[0]}: the source has {want}; run test/style/language.py --write')
    for column, known in generated.items():
        wrong += [f'{PAGE}: no entry for {name}' for name in sorted(known.keys() - seen[column])]
    for section, words in sections.items():
        wrong += [f'{PAGE}: no entry for {word} in the section "{section}"' for word in sorted(words - seen_words[section])]
    if write:
        with open(os.path.join(TOP, PAGE), 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines))
    words = sum(map(len, generated.values())) + sum(map(len, sections.values()))
    print(f'{words} words of D, {len(wrong)} mistakes in {PAGE}')
    return '\n'.join(wrong) if wrong else 0


if __name__ == '__main__':
    sys.exit(main('--write' in sys.argv[1:]))
