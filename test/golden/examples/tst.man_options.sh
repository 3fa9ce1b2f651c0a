#!/bin/bash
# ASSERTION: the manual page's options are those of the table, with their values and defaults, and the completions' words
#   and --help's list are the same ones.
# @@tags: unprivileged
top=$PWD/../../..
python3 - "$top" "$dtrace" <<'PYTHON'
import pathlib, re, subprocess, sys
top, dtrace = pathlib.Path(sys.argv[1]), sys.argv[2]
table = {}
for row in re.finditer(r'^OPTION\((\w+), *(\w+)(?:\("([^"]*)"\))?, *\w+, *\w+, *"([^"]*)"\)',
                       (top / 'src/base/options.def').read_text(), re.M):
    table[row[1]] = {'values': row[3], 'default': row[4]}

del table['grabanon']  # which is refused, as DIFFERENCES says
page = (top / 'doc/dtrace.8').read_text()
options = page[page.index('.Sh OPTIONS'):page.index('.Sh ENVIRONMENT')]
working, idle = options.split('.Ss Accepted, and without effect')
shown = {}
for section in (working, idle):
    for item in re.findall(r'^\.It Cm (.*)', section, re.M):
        for entry in item.split(' , '):
            entry, _, default = entry.partition(' Pq ')
            words = [word for word in entry.split() if word not in ('Cm', 'Ar', 'Ns', '=')]
            values = '|'.join(word for word in words[1:] if word != '|') if ' = Ns Cm ' in entry else ''
            shown[words[0]] = {'values': values, 'default': default.split()[-1] if default else '', 'works': section is working}

print('not in the manual page:', sorted(table.keys() - shown.keys()))
print('in the manual page only:', sorted(shown.keys() - table.keys()))
for name in sorted(table.keys() & shown.keys()):
    ours, theirs = table[name], shown[name]
    if theirs['values'] and theirs['values'] != ours['values']:
        print(name, 'takes', ours['values'], 'and not', theirs['values'])
    if theirs['works'] and ours['default'] and theirs['default'] != ours['default']:
        print(name, 'is', ours['default'], 'by default and not', theirs['default'] or 'unsaid')

listed = subprocess.run([dtrace, '--help'], capture_output=True, text=True).stdout
listed = listed[listed.index('Options for -x'):].split('\n', 1)[1].split('See dtrace(8)')[0].split()
print('--help differs:', sorted((set(listed) - {'grabanon'}) ^ table.keys()))
PYTHON
