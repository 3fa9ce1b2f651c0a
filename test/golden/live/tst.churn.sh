#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: thousands of processes come and go, with user stacks and probes of pid*: --serve and --live count each of them, and
#   their memory levels off: after some rounds, what begins in one more, on the whole machine, costs less than 0.6 KB each.
# SECTION: Output formats    @@timeout: 600    @@tags: userland long release
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, re, signal, subprocess, sys

dtrace, here = sys.argv[1:]
sys.path.insert(0, here)
from terminal import Terminal

ROUND = 100 if os.environ.get('slow') else 5000
MOST_KB, MOST_KB_EACH = 3000, 0.6
# Two are enough on an idle machine. A tracer that has to wait for a CPU keeps what it has not read yet, once; a leak grows in each.
MOST_ROUNDS = 6
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


def run_round():
    """The shell runs so many processes, and says when they have ended."""
    shell.stdin.write(f'for ((i = 0; i < {ROUND}; i++)); do /bin/true; done; echo\n')
    shell.stdin.flush()
    shell.stdout.readline()


shell = subprocess.Popen(['bash'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
live = Terminal([dtrace, '--live', '-qn', PROGRAM, str(shell.pid)], 80, 24)
serve = subprocess.Popen([dtrace, '--serve', '0', '-x', 'ledger=json', '-qn', PROGRAM, '-o', 'served', str(shell.pid)],
                         stderr=subprocess.PIPE, text=True)
serve.stderr.readline()
live.wait('the screen', lambda lines: any(line.startswith('@ticks') for line in lines[3:]) and any(' 1.0' in line for line in lines))
pids = {'--live': live.process.pid, '--serve': serve.pid}


def measure():
    return begun(), {name: anonymous_kb(pid) for name, pid in pids.items()}


def growing(before, after):
    """The tracers whose memory has not levelled off."""
    most_kb = max(MOST_KB, MOST_KB_EACH * (after[0] - before[0]))
    return [name for name in pids if after[1][name] - before[1][name] >= most_kb]


measures = []
while len(measures) < 2 or growing(*measures[-2:]) and len(measures) < MOST_ROUNDS:
    run_round()
    ended = (len(measures) + 1) * ROUND
    live.wait('the end of a round', lambda lines: any(re.match(rf' *{ended} ', line) for line in lines))
    measures.append(measure())
for name in pids:
    print(f'{name}: memory', f'grew to {[(of[0], of[1][name]) for of in measures]} processes and KB' if name in growing(*measures[-2:]) else 'levels off')
shell.stdin.close()
shell.wait()
status, text = live.end('q')
serve.send_signal(signal.SIGINT)
ledger = serve.communicate()[1]
with open('served', encoding='utf-8') as file:
    served = file.read()
for name, seen in (('--live', text), ('--serve', served)):
    numbers = re.findall(r'^ +(\d+)$', seen, re.M)
    print(f'{name}: {"every end and every call counted" if numbers.count(str(ended)) == 2 else numbers}')
lost = re.findall('lost|drop', text + ledger.split('{')[0])
print('losses:', lost or 'none')
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here"
