#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every row of options.def is read by somebody, but for those of class Accepted, which are without effect and are listed so
in the manual."""
import os
import re
import sys

top = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))


def read(path):
    with open(os.path.join(top, path), encoding='utf-8') as file:
        return file.read()


rows = re.findall(r'^OPTION\((\w+),\s*(?:\w+(?:\("[^"]*"\))?),\s*(\w+),', read('src/base/options.def'), re.M)
sources = ''.join(read(os.path.join(directory, file))
                  for directory, _, files in os.walk(os.path.join(top, 'src')) for file in files if file.endswith(('.cpp', '.h')))
used = set(re.findall(r'\bOpt::(\w+)', sources))
accepted = {name for name, when in rows if when == 'Accepted'}
section = re.search(r'^\.Ss Accepted, and without effect.*?(?=^\.S[sh] )', read('doc/dtrace.8'), re.M | re.S).group(0)
documented = set(re.findall(r'\b[a-z]+\b', section))
wrong = [f'{name}: nobody reads it, and it is not Accepted' for name, _ in rows if name not in used | accepted]
wrong += [f'{name}: is Accepted, and read' for name in sorted(accepted & used)]
wrong += [f'{name}: is Accepted, and the manual does not say so' for name in sorted(accepted - documented)]
print(f'{len(rows)} options, {len(accepted)} of them Accepted')
sys.exit('\n'.join(wrong) if wrong else 0)
