# SPDX-License-Identifier: Apache-2.0
"""The syntax files of editors: Vim itself says what it takes the words of a script for; the grammar of VS Code parses, and its
patterns match what their names say.
usage: editors.py FOLDER_OF_EDITORS SOURCE_FOLDER
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = '''#!/usr/sbin/dtrace -s
#pragma D option bufsize=4m
/* a comment, count() */
syscall::read:entry,
tick-5s
/execname == "dd" && pid != $target/
{
  self->began = timestamp;
  @calls[probefunc, "bytes %d"] = quantize(arg2 + 0x10);
  printf("%s\\n", copyinstr(arg0));
  this->t = `jiffies;
}
BEGIN
{
  if (x) exit(0);
}
'''
# Line, text at whose first character Vim is asked, its group.
VIM = [(1, '#!', 'Command'), (2, '#pragma', 'Pragma'), (2, 'bufsize', 'Option'), (2, '4m', 'Pragma'), (3, 'count', 'Comment'),
       (4, 'syscall', 'Probe'), (4, 'entry', 'Probe'), (5, 'tick', 'Probe'), (6, 'execname', 'Variable'), (6, 'dd', 'String'),
       (6, '$target', 'Macro'), (8, 'self', 'Storage'), (8, 'began', ''), (8, 'timestamp', 'Variable'),
       (9, '@calls', 'Aggregation'), (9, 'probefunc', 'Variable'), (9, '%d', 'Format'), (9, 'quantize', 'Aggregating'),
       (9, '0x10', 'Number'), (10, 'printf', 'Action'), (10, '\\n', 'Escape'), (10, 'copyinstr', 'Subroutine'),
       (11, '`jiffies', 'External'), (13, 'BEGIN', 'Probe'), (15, 'if', 'Statement'), (15, 'exit', 'Action')]
# Scope of the grammar, text that it matches whole.
GRAMMAR = [('keyword.control', 'else'), ('entity.name.tag.probe', 'syscall::read:entry'), ('entity.name.tag.probe', 'tick-5s'),
           ('entity.name.tag.probe', 'pid$target:libc.so.6:malloc:entry'), ('entity.name.tag.probe', 'fbt:::return'),
           ('variable.other.aggregation', '@calls'), ('variable.parameter.macro', '$$1'), ('variable.other.external', 'nf`jiffies'),
           ('support.variable', 'execname'), ('constant.numeric', '0xffULL'), ('support.type', 'uint64_t')]
CALLS = [('support.function.aggregating', 'llquantize'), ('support.function.action', 'printa'),
         ('support.function.subroutine', 'strjoin')]


def vim_groups(vim, folder, script):
    lines = script.splitlines()
    commands = ['set nocompatible', f'set runtimepath^={folder}', 'syntax on', 'set filetype=dtrace', 'let out = []']
    for number, text, _ in VIM:
        column = lines[number - 1].index(text) + 1
        commands.append(f"call add(out, synIDattr(synID({number}, {column}, 0), 'name'))")
    with tempfile.TemporaryDirectory() as scratch:
        file, commands_file, out = (Path(scratch) / name for name in ('script.d', 'commands.vim', 'out'))
        file.write_text(script)
        commands_file.write_text('\n'.join(commands + [f"call writefile(out, '{out}')", 'qall!']) + '\n')
        done = subprocess.run([vim, '-u', 'NONE', '-es', '-N', '-S', commands_file, file], capture_output=True, text=True, timeout=60)
        assert out.exists(), done.stderr + done.stdout
        return out.read_text().split('\n')[:len(VIM)]


def check_vim(folder):
    vim = shutil.which('vim')
    if not vim or 'syntax' not in subprocess.run([vim, '--version'], capture_output=True, text=True).stdout.replace('-syntax', ''):
        print('vim with syntax files is not installed: not tried')
        return []
    wrong = []
    for (number, text, group), got in zip(VIM, vim_groups(vim, folder, SCRIPT)):
        if got != (f'dtrace{group}' if group else ''):
            wrong.append(f'vim, line {number}, {text}: wanted dtrace{group}, got {got}')
    return wrong


def patterns_of(grammar):
    queue = grammar['patterns'] + list(grammar['repository'].values())
    while queue:
        rule = queue.pop(0)
        queue += rule.get('patterns', [])
        yield rule


def check_grammar(folder):
    grammar = json.loads((folder / 'dtrace.tmLanguage.json').read_text())
    package = json.loads((folder / 'package.json').read_text())
    assert package['contributes']['grammars'][0]['scopeName'] == grammar['scopeName']
    for file in (package['contributes']['grammars'][0]['path'], package['contributes']['languages'][0]['configuration']):
        json.loads((folder / file).read_text())
    rules = list(patterns_of(grammar))
    for rule in rules:
        for key in ('match', 'begin', 'end'):
            re.compile(rule.get(key, ''))
        include = rule.get('include')
        assert include is None or include[1:] in grammar['repository'], include
    wrong = []
    for scope, text, context in [(s, t, t) for s, t in GRAMMAR] + [(s, t, t + '(x)') for s, t in CALLS]:
        matching = [found for rule in rules if rule.get('name') == scope + '.dtrace' and 'match' in rule
                    for found in [re.search(rule['match'], context)] if found and found.group() == text]
        if not matching:
            wrong.append(f'grammar: nothing called {scope} matches {text}')
    return wrong


def main():
    editors, source = Path(sys.argv[1]), Path(sys.argv[2])
    wrong = check_vim(editors / 'vim') + check_grammar(editors / 'vscode')
    version = re.search(r'^project\(dtrace VERSION ([0-9.]+)', (source / 'CMakeLists.txt').read_text(), re.M).group(1)
    if json.loads((editors / 'vscode/package.json').read_text())['version'] != version:
        wrong.append(f'package.json: not version {version}')
    print('\n'.join(wrong), end='\n' if wrong else '')
    return bool(wrong)


sys.exit(main())
