#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: thousands of processes come and go, with user stacks and probes of pid*: --serve and --live count each of them, and
#   their memory levels off: what begins in the second half, on the whole machine, costs less than 0.6 KB each.
# SECTION: Output formats    @@timeout: 600    @@tags: userland long release
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, re, signal, subprocess, sys

dtrace, here = sys.argv[1:]
sys.path.insert(0, here)
from terminal import Terminal

HALF = 100 if os.environ.get('slow') else 5000
MOST_KB, MOST_KB_EACH = 3000, 0.6
PROGRAM = '''syscall::exit_group:entry /execname == "true" && ppid == $1/ { @stacks[ustack()] = count(); @ended = count(); }
    pid*:libc:exit:entry /execname == "true" && ppid == $1/ { @exits = count(); }
    tick-1s { trunc(@stacks); } tick-1s { @ticks = count(); }'''


def anonymous_kb(pid):
    with open(f'/proc/{pid}/status', encoding='utf-8') as file:
        return int(re.search(r'RssAnon:\s+(\d+)', file.read()).group(1))


def begun():
    """Threads and processes of the machine so far: dtrace knows them all, whoever else runs programs meanwhile."""
    with open('/proc/stat', encoding='utf-8') as file:
        return int(re.search(r'^processes (\d+)', file.read(), re.M).group(1))


def half():
    """The shell runs so many processes, and says when they have ended."""
    shell.stdin.write(f'for ((i = 0; i < {HALF}; i++)); do /bin/true; done; echo\n')
    shell.stdin.flush()
    shell.stdout.readline()


shell = subprocess.Popen(['bash'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
live = Terminal([dtrace, '--live', '-qn', PROGRAM, str(shell.pid)], 80, 24)
serve = subprocess.Popen([dtrace, '--serve', '0', '-x', 'ledger=json', '-qn', PROGRAM, '-o', 'served', str(shell.pid)],
                         stderr=subprocess.PIPE, text=True)
serve.stderr.readline()
live.wait('the screen', lambda lines: any(line.startswith('@ticks') for line in lines[3:]) and any(' 1.0' in line for line in lines))
pids = {'--live': live.process.pid, '--serve': serve.pid}
half()
live.wait('the first half', lambda lines: any(re.match(rf' *{HALF} ', line) for line in lines))
begun_before = begun()
before = {name: anonymous_kb(pid) for name, pid in pids.items()}
half()
live.wait('the second half', lambda lines: any(re.match(rf' *{2 * HALF} ', line) for line in lines))
most_kb = max(MOST_KB, MOST_KB_EACH * (begun() - begun_before))
for name, pid in pids.items():
    grown = anonymous_kb(pid) - before[name]
    print(f'{name}: memory {"levels off" if grown < most_kb else f"grew by {grown} KB from {before[name]}"}')
shell.stdin.close()
shell.wait()
status, text = live.end('q')
serve.send_signal(signal.SIGINT)
ledger = serve.communicate()[1]
with open('served', encoding='utf-8') as file:
    served = file.read()
for name, seen in (('--live', text), ('--serve', served)):
    numbers = re.findall(r'^ +(\d+)$', seen, re.M)
    print(f'{name}: {"every end and every call counted" if numbers.count(str(2 * HALF)) == 2 else numbers}')
lost = re.findall('lost|drop', text + ledger.split('{')[0])
print('losses:', lost or 'none')
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here"
