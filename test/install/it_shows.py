#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What it_shows.sh runs once only the installed tree is left. Each check prints what it found if that is not so.
# usage: it_shows.py TREE
import collections, os, re, signal, subprocess, sys, time

tree = sys.argv[1]
DTRACE = tree + '/sbin/dtrace'
failed = False


def check(what, holds, found=''):
    global failed
    if not holds:
        failed = True
        print(f'{what}: {found}')


def dtrace(*args, status=0):
    run = subprocess.run([DTRACE, *args], capture_output=True, text=True, timeout=120)
    check(f'status of {args}', run.returncode == status, f'{run.returncode}\n{run.stderr[-2000:]}')
    return run.stdout


def strace_counts(command):
    """Calls of the command by name, as strace sees them."""
    run = subprocess.run(['strace', '-f', '-o', 'trace.txt', *command], capture_output=True)
    assert run.returncode == 0, run.stderr
    names = re.findall(r'^\d+\s+(\w+)\(', open('trace.txt').read(), re.MULTILINE)
    return collections.Counter(names)


def is_armed(proc, waiting_call):
    """Whether a dtrace has links in the kernel and waits for what they bring."""
    try:
        links = [fd for fd in os.listdir(proc + '/fd') if 'bpf' in os.readlink(f'{proc}/fd/{fd}') and
                 'link_type' in open(f'{proc}/fdinfo/{fd}').read()]
        return bool(links) and open(proc + '/syscall').read().split()[0] == waiting_call
    except FileNotFoundError:  # a descriptor that was closed meanwhile
        return False


def until_interrupt(program, workload):
    """Runs `program` without end, `workload` while it traces, and interrupts it as ^C does."""
    tracer = subprocess.Popen([DTRACE, '-n', program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    proc = f'/proc/{tracer.pid}'
    POLL = '7'  # where it waits when probes are armed
    while not is_armed(proc, POLL):
        assert tracer.poll() is None, tracer.stderr.read()
    subprocess.run(workload, check=True, capture_output=True)
    tracer.send_signal(signal.SIGINT)
    out, err = tracer.communicate(timeout=60)
    check(f'interrupted {program}', tracer.returncode == 0 and 'matched' in err and 'drop' not in err, err)
    return out


def distributions(text):
    """key -> {value: count} of quantize() output keyed by one word."""
    result, key = {}, None
    for line in text.splitlines():
        row = re.match(r'\s+(-?\d+) \|[@ ]*\s(\d+)\s*$', line)
        if row:
            if int(row[2]):
                result.setdefault(key, {})[int(row[1])] = int(row[2])
        elif line.strip() and 'Distribution' not in line:
            key = line.strip()
    return result


# 1. System calls by program, until an interrupt.
calls = strace_counts(['./it_shows_calls'])
out = until_interrupt('syscall:::entry { @[execname] = count(); }', ['./it_shows_calls'])
counts = {m[1]: int(m[2]) for m in re.finditer(r'^  (\S.*?)\s+(\d+)$', out, re.MULTILINE)}
# The name changes within execve(2), whose entry belongs to the caller.
check('calls by program', counts.get('it_shows_calls') == sum(calls.values()) - 1, (counts, calls))
check('order of an aggregation', list(counts.values()) == sorted(counts.values()), out)

# 2. Read latency, each and as a distribution.
dd = ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=4096', 'count=200']
reads = strace_counts(dd)['read']
# Held at its first instruction, a command makes all its calls under our eyes, those of the dynamic linker too.
FROM_START = '-xevaltime=exec'
out = dtrace('-qn', '''syscall::read:entry /pid == $target/ { self->t = timestamp; }
syscall::read:return /self->t/ { printf("%s %d\\n", execname, timestamp - self->t); self->t = 0; }''', FROM_START, '-c', ' '.join(dd))
latencies = [int(ns) for name, ns in (line.split() for line in out.splitlines() if line.startswith('dd '))]
check('latencies of reads', len(latencies) == reads and all(0 < ns < 10**10 for ns in latencies), (reads, latencies))
out = dtrace('-qn', '''syscall::read:entry /pid == $target/ { self->t = timestamp; }
syscall::read:return /self->t/ { @[execname] = quantize(timestamp - self->t); self->t = 0; }''', FROM_START, '-c', ' '.join(dd))
check('distribution of reads', sum(distributions(out).get('dd', {}).values()) == reads, (reads, out))

# 3. Sizes of dd's writes by descriptor, and where they come from.
writes = strace_counts(dd)['write']
out = dtrace('-qn', 'syscall::write:entry /pid == $target/ { @[arg0] = quantize(arg2); }', '-c', ' '.join(dd))
by_descriptor = distributions(out)
check('sizes of writes', by_descriptor.get('1') == {4096: 200}, out)
check('all writes', sum(sum(d.values()) for d in by_descriptor.values()) == writes, (writes, out))
out = dtrace('-qn', 'syscall::write:entry /pid == $target/ { @[ustack()] = count(); }', '-c', ' '.join(dd))
stacks = re.split(r'\n\s*(\d+)\n', out)
check('writes by stack', sum(int(n) for n in stacks[1::2]) == writes and '`write+' in max(
    zip(map(int, stacks[1::2]), stacks[0::2]))[1], out)

# 4. A speculation, committed only when ioctl(2) fails.
ioctls = '''import fcntl, os, termios
read, write = os.pipe()
for request in (termios.FIONREAD, termios.TCGETS, termios.FIONREAD):
    try: fcntl.ioctl(read, request, b"0000" * 32)
    except OSError: pass
'''
open('ioctls.py', 'w').write(ioctls)
out = dtrace('-Fn', '''
syscall::ioctl:entry /pid == $target && (arg1 == 0x5401 || arg1 == 0x541b)/ { self->spec = speculation(); }
syscall:::entry /self->spec/ { speculate(self->spec); printf("%x", arg1); }
syscall:::return /self->spec/ { speculate(self->spec); trace(errno); }
syscall::ioctl:return /self->spec && errno != 0/ { commit(self->spec); self->spec = 0; }
syscall::ioctl:return /self->spec && errno == 0/ { discard(self->spec); self->spec = 0; }''', '-c', 'python3 ioctls.py')
rows = [line.split()[1:] for line in out.splitlines() if '=>' in line or '<=' in line]
enter, leave = [row for row in rows if row[0] == '=>'], [row for row in rows if row[0] == '<=']
check('failed ioctls', len(enter) == len(leave) and enter and all(row == ['=>', 'ioctl', '5401'] for row in enter) and
      all(row == ['<=', 'ioctl', '25'] for row in leave), out)

# 5. Stacks of the kernel and of a program, sampled.
out = dtrace('-qn', 'profile-997 { @[stack()] = count(); } tick-1s { exit(0); }')
check('kernel stacks', re.search(r'^ {14}vmlinux`\w+\+0x[0-9a-f]+$', out, re.MULTILINE), out[-2000:])
out = dtrace('-qn', 'profile-997 /pid == $target/ { @[ustack()] = count(); }', '-c', './it_shows_burn')
samples = collections.Counter()
for stack, count in re.findall(r'((?:^ {14}\S.*\n)+)\s*(\d+)\n', out, re.MULTILINE):
    samples['it_shows_burn`burn_here+' in stack] += int(count)
check('samples of the program', samples[True] > 100 and samples[True] > 4 * samples[False], (samples, out[-2000:]))

# 6. Kernel tracepoints with typed arguments.
out = dtrace('-qn', '''sdt:sched::sched_switch /args[1]->pid == pid && pid == $target/ { printf("%s %d\\n", args[1]->comm, args[2]->pid != pid); self->seen = 1; }
sdt:sched::sched_wakeup /args[0]->tgid == $target/ { @woken[stringof(args[0]->comm)] = count(); }''', '-c', 'sleep 0.05')
check('sched_switch', re.search(r'^sleep 1$', out, re.MULTILINE), out)
check('sched_wakeup', re.search(r'^  sleep\s+[1-9]', out, re.MULTILINE), out)
out = dtrace('-qn', 'sdt:sched::sched_process_exit /args[0]->tgid == $target/ { print(*args[0]); printf("\\npid %d\\n", pid); exit(0); }', '-c', 'true')
match = re.search(r'^ {4}pid_t pid = (\w+)$', out, re.MULTILINE)
check('print(*args[0])', out.startswith('struct task_struct {') and match and
      int(match[1], 0) == int(re.search(r'^pid (\d+)', out, re.MULTILINE)[1]), out[:500])

# 7. A script of its own, with a pragma, arguments and a command.
with open('script.d', 'w') as script:
    script.write(f'''#!{tree}/sbin/dtrace -s
#pragma D option quiet
syscall::$$2:entry /pid == $target/ {{ @ = count(); }}
END {{ printf("%d %s %d ", $1, $$2, $target > 1); printa("%@d\\n", @); }}
''')
os.chmod('script.d', 0o755)
run = subprocess.run(['./script.d', '5', 'getppid', '-c', './it_shows_calls'], capture_output=True, text=True)
check('script', run.stdout.strip() == '5 getppid 1 1000' and run.returncode == 0, run)

# 8. A fault.
run = subprocess.run([DTRACE, '-qn', 'BEGIN { trace(*(int *)0); } ERROR { printf("%d %d %x", arg1, arg4, arg5); exit(1); }'],
                     capture_output=True, text=True)
check('fault', run.returncode == 1 and run.stdout.strip() == '1 1 0' and
      'invalid address (0x0)' in run.stderr and ':::BEGIN' in run.stderr, run)
sys.exit(failed)
