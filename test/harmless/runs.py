# SPDX-License-Identifier: Apache-2.0
"""Runs a command alone and under dtrace, and says what differs: output, messages, exit status, files.

dtrace and the command share standard error. Lines that begin with "dtrace: ", and the ledger, are dtrace's."""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

# Counts are the proof that probes were set: a run without firings has shown nothing.
REPORT = ' END { printa("%s %@d\\n", @); }'
COUNT = '{ @[probename] = count(); }' + REPORT
BOTH = 'pid$target:::entry, pid$target:::return '
ENTRY_AND_RETURN = BOTH + COUNT

ENDED = re.compile(r'^dtrace: pid \d+ (has exited|exited with status (?P<status>\d+)|terminated by (?P<signal>SIG\w+)).*')
# What is said at the start, and no loss: how many probes a description has, and which of a wildcard cannot be set, or in
# which processes (a container's root may not read process 1).
MATCHED = re.compile(r'^dtrace: (description|script) .* matched (\d+) probes?')
LEFT_OUT = re.compile(r'^dtrace: .*(cannot be set( in (\d+ processes|process \d+( \(.*\))?))?: |; the other probes of the list are traced)')
PATIENCE_S = 30  # of a command that has been asked to end
NAMES = ('entry', 'return', 'inside')


@dataclasses.dataclass
class Outcome:
    status: int | None = None  # negative: a signal, None: not ended in time
    stdout: bytes = b''
    stderr: bytes = b''
    files: dict = dataclasses.field(default_factory=dict)  # name: checksum
    seconds: float = 0.0
    # of a traced run only
    counts: dict = dataclasses.field(default_factory=dict)  # probe name: firings
    nr_probes: int = 0
    losses: list = dataclasses.field(default_factory=list)  # rows of the ledger
    messages: list = dataclasses.field(default_factory=list)  # dtrace's
    dtrace_status: int = 0


def checksums(folder):
    """Of files, targets of links, and names of folders below it."""
    found = {}
    for path in sorted(folder.rglob('*')):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = 'link to ' + os.readlink(path)
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        elif path.is_dir():
            found[name] = 'folder'
    return found


def environment(extra=None):
    kept = {name: os.environ[name] for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'DTRACE_KERNEL_LACKS') if name in os.environ}
    return kept | {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL': 'C', 'TZ': 'UTC', 'TERM': 'dumb',
                   'HOME': '/nonexistent'} | (extra or {})


def execute(command, folder, env, stdin, timeout_s):
    """Status, output, messages and seconds. The command is alone in its session, so that nothing of it is left behind."""
    began = time.monotonic()
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        stdout, stderr = process.communicate(stdin, timeout_s)
        status = process.returncode
    except BaseException as error:
        # A dtrace that is asked to end detaches its probes, and ends its command.
        process.terminate()
        try:
            stdout, stderr = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        status = None
    return status, stdout, stderr, time.monotonic() - began


def alone(command, folder, *, env=None, stdin=b'', timeout_s=60):
    status, stdout, stderr, seconds = execute(command, folder, environment(env), stdin, timeout_s)
    return Outcome(status, stdout, stderr, checksums(pathlib.Path(folder)), seconds)


def traced(dtrace, program, command, folder, *, env=None, stdin=b'', timeout_s=300, options=()):
    """The program may be D text, or a path that ends with .d"""
    counts_file = pathlib.Path(f'{folder}.counts')
    counts_file.unlink(missing_ok=True)
    script = ['-s', str(program)] if str(program).endswith('.d') else ['-n', program]
    # Without -q, as only then the end of the command is reported.
    whole = [str(dtrace), '-Z', '-x', 'ledger=json', *options, '-o', str(counts_file), *script, '--', *command]
    dtrace_status, stdout, stderr, seconds = execute(whole, folder, environment(env), stdin, timeout_s)
    outcome = Outcome(0, stdout, b'', checksums(pathlib.Path(folder)), seconds, dtrace_status=dtrace_status)
    if dtrace_status is None:
        outcome.status = None
    kept = []
    for line in stderr.split(b'\n'):
        text = line.decode(errors='replace')
        ended = ENDED.match(text)
        if ended:
            if ended['status']:
                outcome.status = int(ended['status'])
            elif ended['signal']:
                outcome.status = -int(getattr(signal, ended['signal'], 0))
        elif text.startswith('{"losses":'):
            outcome.losses = json.loads(text)['losses']
        elif text.startswith('dtrace: '):
            matched = MATCHED.match(text)
            if matched:
                outcome.nr_probes += int(matched[2])
            elif not LEFT_OUT.match(text):
                outcome.messages.append(text)
        else:
            kept.append(line)
    outcome.stderr = b'\n'.join(kept)
    if counts_file.exists():
        for line in counts_file.read_text(errors='replace').splitlines():
            *_, name, number = ['', '', *line.split()]
            if name in NAMES and number.isdigit():
                outcome.counts[name] = outcome.counts.get(name, 0) + int(number)
        counts_file.unlink()
    return outcome


def hidden(data, patterns):
    for pattern in patterns:
        data = re.sub(pattern.encode(), b'#', data)
    return data


def first_difference(before, after):
    old, new = before.split(b'\n'), after.split(b'\n')
    for number, line in enumerate(old):
        other = new[number] if number < len(new) else b'(nothing)'
        if line != other:
            return f'line {number + 1} is {other[:100].decode(errors="replace")!r}, not {line[:100].decode(errors="replace")!r}'
    return f'{len(new) - len(old)} lines more: {b" ".join(new[len(old):])[:100].decode(errors="replace")!r}'


def describe_status(status):
    if status is None:
        return 'not ended in time'
    return signal.Signals(-status).name if status < 0 else f'status {status}'


def differences(expected, seen, hide=()):
    """What the command did otherwise, as texts; none: it was not harmed."""
    found = []
    if seen.status != expected.status:
        found.append(f'{describe_status(seen.status)} instead of {describe_status(expected.status)}')
    for stream in ('stdout', 'stderr'):
        before, after = (hidden(getattr(outcome, stream), hide) for outcome in (expected, seen))
        if before != after:
            found.append(f'{stream}: {first_difference(before, after)}')
    for name in sorted(expected.files.keys() | seen.files.keys()):
        before, after = expected.files.get(name, 'missing'), seen.files.get(name, 'missing')
        if before != after:
            found.append(f'file {name} is {after}, not {before}')
    return found


def is_harmed(expected, seen, hide=()):
    """Not by a dtrace that has refused the program."""
    return not seen.dtrace_status and bool(differences(expected, seen, hide))


def empty_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path
