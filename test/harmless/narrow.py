# SPDX-License-Identifier: Apache-2.0
"""Finds the probes that do harm, by halves."""

import re
import subprocess

import runs

PROBE = re.compile(r'^\s*\d+\s+pid\d+\s+(\S+)\s+(\S.*?)\s+(entry|return)\s*$')


def probes_of(dtrace, command, folder, env=None):
    """Triples of module, function and name, of the pair of descriptions over all functions."""
    done = subprocess.run([str(dtrace), '-Z', '-l', '-n', 'pid$target:::entry, pid$target:::return', '--', *command], cwd=folder,
                          env=runs.environment(env), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return [match.groups() for match in map(PROBE.match, done.stdout.splitlines()) if match]


def clause(probes):
    return ',\n'.join(f'pid$target:{module}:{function}:{name}' for module, function, name in probes) + runs.COUNT


def smallest(probes, is_harmed, tries=80):
    """A set of probes that does harm, of which no half does."""
    current, parts = probes, 2
    while len(current) > 1 and tries:
        size = max(1, len(current) // parts)
        chunks = [current[at:at + size] for at in range(0, len(current), size)]
        for chunk in chunks:
            tries -= 1
            if is_harmed(chunk):
                current, parts = chunk, 2
                break
        else:
            if size == 1 or parts >= 8:
                break
            parts *= 2
    return current


def report(dtrace, command, is_harmed, work, folder):
    script = work / 'probes.d'

    def harmed(probes):
        script.write_text(clause(probes))
        return is_harmed(str(script))

    probes = [probe for probe in probes_of(dtrace, command, folder) if not set(probe[1]) & set('`*?[]:,; $')]
    found, guilty = [], probes
    while len(found) < 12 and guilty and harmed(guilty):
        one = smallest(guilty, harmed)
        found += one
        guilty = [probe for probe in guilty if probe not in one]
        print('    harm is done by', '; '.join(':'.join(probe) for probe in one[:6]), '...' if len(one) > 6 else '', flush=True)
    print(f'    {len(found)} of {len(probes)} probes named, the others {"do none" if not harmed(guilty) else "still do"}', flush=True)
