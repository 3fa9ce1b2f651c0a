# SPDX-License-Identifier: Apache-2.0
"""The table's rows: one program in D, the limit program that does the same, and the same for bpftrace.

A row of kind "event" costs the traced thread so many ns a call; the others have a measuring function of their own in
measure.py, named by `measure`. `goal` is (what it is a ratio of, the greatest ratio); see Verdicts in `run`.

    kind     the workload's batch: traced, untraced, string, uprobe, usdt
    total    what the tracer's printed total must be, as a function of the calls made; None: not checked
"""

CALL = 'sched_get_priority_max'
ENTRY = f'syscall::{CALL}:entry'
RETURN = f'syscall::{CALL}:return'
BT_ENTRY = f'tracepoint:syscalls:sys_enter_{CALL}'
BT_RETURN = f'tracepoint:syscalls:sys_exit_{CALL}'

# Thirty calls that a real script names together.
THIRTY = ('read write open openat close stat fstat lstat poll lseek mmap mprotect munmap brk ioctl pread64 pwrite64 '
          'readv writev access pipe select dup dup2 socket connect accept sendto recvfrom execve').split()

EVENTS = [
    dict(name='count', title='count() of one call', limit='count', goal=('limit', 1.15),
         d=f'{ENTRY} {{ @ = count(); }}',
         bt=f'{BT_ENTRY} {{ @ = count(); }}', total=lambda calls: calls),
    dict(name='pid-probefunc', title='@[pid, probefunc] = count()', limit='pid_probefunc', goal=('limit', 1.15),
         d=f'{ENTRY} {{ @[pid, probefunc] = count(); }}',
         bt=f'{BT_ENTRY} {{ @[pid, probe] = count(); }}', total=lambda calls: calls),
    dict(name='execname', title='@[execname] = count()', limit='execname', goal=('limit', 1.15),
         d=f'{ENTRY} {{ @[execname] = count(); }}',
         bt=f'{BT_ENTRY} {{ @[comm] = count(); }}', total=lambda calls: calls),
    dict(name='quantize', title='quantize(arg0)', limit='quantize', goal=('limit', 1.15),
         d=f'{ENTRY} {{ @ = quantize(arg0); }}',
         bt=f'{BT_ENTRY} {{ @ = hist(args.policy); }}', total=lambda calls: calls),
    dict(name='sum', title='sum(arg0)', limit='sum', goal=('limit', 1.15),
         d=f'{ENTRY} {{ @ = sum(arg0); }}',
         bt=f'{BT_ENTRY} {{ @ = sum(args.policy); }}', total=lambda calls: 9999 * calls),
    dict(name='assoc', title='associative array increment', limit='assoc', goal=('limit', 1.15),
         d=f'unsigned long long a[int]; {ENTRY} {{ a[pid]++; }}',
         bt=f'{BT_ENTRY} {{ @a[pid]++; }}'),
    dict(name='predicate', title='false predicate', limit='predicate', goal=('limit', 1.15),
         d=f'{ENTRY} /pid == 1/ {{ @ = count(); }}',
         bt=f'{BT_ENTRY} /pid == 1/ {{ @ = count(); }}'),
    dict(name='container', title='false predicate, of a container', limit='predicate', goal=None,
         d=f'{ENTRY} /container == "nobody"/ {{ @ = count(); }}'),
    dict(name='latency', title='entry/return latency, self->, quantize', limit='latency', goal=('limit', 1.15),
         d=f'{ENTRY} {{ self->t = timestamp; }} '
           f'{RETURN} /self->t/ {{ @ = quantize(timestamp - self->t); self->t = 0; }}',
         bt=f'{BT_ENTRY} {{ @s[tid] = nsecs; }} '
            f'{BT_RETURN} /@s[tid]/ {{ @ = hist(nsecs - @s[tid]); delete(@s, tid); }}',
         total=lambda calls: calls),
    dict(name='stack', title='@[stack()] = count()', limit='stack_perf', goal=('limit', 1.10),
         d=f'{ENTRY} {{ @[stack()] = count(); }}',
         bt=f'{BT_ENTRY} {{ @[kstack(20)] = count(); }}', total=lambda calls: calls),
    dict(name='ustack', title='@[ustack()] = count()', limit='ustack', goal=('limit', 2.60),
         d=f'{ENTRY} {{ @[ustack()] = count(); }}',
         bt=f'{BT_ENTRY} {{ @[ustack(100)] = count(); }}', total=lambda calls: calls),
    dict(name='both-stacks', title='@[stack(), ustack()] = count()', limit='both_stacks', goal=('limit', 1.80),
         d=f'{ENTRY} {{ @[stack(), ustack()] = count(); }}',
         bt=f'{BT_ENTRY} {{ @[kstack(20), ustack(100)] = count(); }}', total=lambda calls: calls),
    dict(name='copyinstr', title='@[copyinstr(arg0)] = count()', limit='copyinstr', goal=('limit', 1.10),
         kind='string', call='sethostname',
         d='syscall::sethostname:entry { @[copyinstr(arg0)] = count(); }',
         bt='tracepoint:syscalls:sys_enter_sethostname { @[str(args.name)] = count(); }', total=lambda calls: calls),
    dict(name='printf', title='printf of three arguments', limit='printf3', goal=('limit', 1.15),
         d=f'{ENTRY} {{ printf("%d %d %d\\n", pid, tid, arg0); }}',
         bt=f'{BT_ENTRY} {{ printf("%d %d %d\\n", pid, tid, args.policy); }}', many=True),
    dict(name='uprobe', title='count() of a user function', limit='uprobe_count', goal=('limit', 1.10), kind='uprobe',
         limit_options=('--binary', '@BINARY@', '--symbol', 'bench_target'),
         d='pid@PID@:a.out:bench_target:entry { @ = count(); }',
         bt='uprobe:@BINARY@:bench_target { @ = count(); }', total=lambda calls: calls),
    dict(name='uprobe-all', title='count() of it in all processes', limit='uprobe_count', goal=('limit', 1.05), kind='uprobe',
         limit_options=('--binary', '@BINARY@', '--symbol', 'bench_target'),
         d='pid*:@BINARY@:bench_target:entry { @ = count(); }',
         bt='uprobe:@BINARY@:bench_target { @ = count(); }', total=lambda calls: calls),
    dict(name='uprobe-latency', title='latency of a user function', limit='uprobe_latency', goal=('limit', 1.15),
         kind='uprobe', limit_options=('--binary', '@BINARY@', '--symbol', 'bench_target'),
         d='pid@PID@:a.out:bench_target:entry { self->t = timestamp; } '
           'pid@PID@:a.out:bench_target:return /self->t/ { @ = quantize(timestamp - self->t); self->t = 0; }',
         bt='uprobe:@BINARY@:bench_target { @s[tid] = nsecs; } '
            'uretprobe:@BINARY@:bench_target /@s[tid]/ { @ = hist(nsecs - @s[tid]); delete(@s, tid); }',
         total=lambda calls: calls),
    dict(name='usdt', title='count() of a static probe', limit='usdt_count', goal=('limit', 1.10), kind='usdt',
         limit_options=('--binary', '@BINARY@', '--symbol', 'bench:step'),
         d='bench@PID@:::step { @ = count(); }',
         bt='usdt:@BINARY@:bench:step { @ = count(); }', total=lambda calls: calls),
    dict(name='untraced', title='another call, while count() runs', limit='count', goal=('limit', 1.10), measured_kind='untraced',
         d=f'{ENTRY} {{ @ = count(); }}',
         bt=f'{BT_ENTRY} {{ @ = count(); }}'),
]

OTHERS = [
    dict(name='profile', title='profile-997 firing, @[execname]', measure='profile', limit='profile',
         goal=('limit', 1.15),
         d='profile-997 { @[execname] = count(); }',
         bt='profile:hz:997 { @[comm] = count(); }'),
    dict(name='startup', title='BEGIN { exit(0); }', measure='startup',
         goals={'wall': ('bpftrace', 0.25), 'cpu': ('bpftrace', 0.25), 'memory': ('bpftrace', 0.35)},
         # What was measured of bpftrace 0.27 on the development machine, for a machine that has none.
         recorded={'wall': 370.0, 'cpu': 150.0, 'memory': 157.0}),
    dict(name='startup-again', title='the same, compiled before', measure='startup', limit='startup',
         goals={'wall': ('absolute', 12), 'cpu': None, 'memory': ('absolute', 15)},
         d_options=('-x', 'cache=on')),
    dict(name='first-event', title='exec to first event, @[execname]', measure='first_event',
         goal=('bpftrace', 0.50), recorded=170.0, limit='execname',
         d=f'int seen; {ENTRY} {{ @[execname] = count(); }} '
           f'{ENTRY} /!seen/ {{ seen = 1; printf("first %d\\n", timestamp); exit(0); }}',
         bt=f'{BT_ENTRY} {{ @[comm] = count(); if (!@seen) {{ @seen = 1; printf("first %llu\\n", nsecs); exit(); }} }}'),
    dict(name='arm-30', title='arm + disarm 30 system calls', measure='arm', goal=('bpftrace', 0.05), recorded=3000.0,
         limit='count',
         d=', '.join(f'syscall::{c}:entry' for c in THIRTY) + ' { @[probefunc] = count(); } BEGIN { exit(0); }',
         bt=', '.join(f'tracepoint:syscalls:sys_enter_{c.replace("stat", "newstat") if c in ("stat", "fstat", "lstat") else c}'
                      for c in THIRTY) + ' { @[probe] = count(); } BEGIN { exit(); }'),
    dict(name='arm-all', title='arm + disarm all system calls', measure='arm', goal=('bpftrace', 0.05),
         recorded=37000.0, limit='count', once=True,
         d='syscall:::entry { @[probefunc] = count(); } BEGIN { exit(0); }',
         bt='tracepoint:syscalls:sys_enter_* { @[probe] = count(); } BEGIN { exit(); }',
         bt_env={'BPFTRACE_MAX_PROBES': '1024'}),
    dict(name='functions', title='every function of a process', measure='functions', goal=('absolute', 2000),
         limit='user_functions', libraries=('libc.so.6',)),
    dict(name='usdt-list', title='list all static probes of the system', measure='run', goal=('absolute', 150),
         limit='startup', argv=('-l', '-n', '*[0-9]:::')),
    dict(name='unselected', title='a process that is not selected', measure='unselected', goal=('absolute', 1.0),
         limit='uprobe_count', limit_options=('--binary', '@BINARY@', '--symbol', 'bench_target'),
         d='pid@PID@:a.out:bench_target:entry, bench@PID@:::idle { @ = count(); }'),
    dict(name='disabled', title='a static probe, not traced', measure='disabled', goal=('absolute', 0.5), limit='startup',
         d=f'{ENTRY} {{ @ = count(); }}'),
    dict(name='exit', title='Ctrl-C to exit, count()', measure='exit_time', limit='count', goal=None,
         d=f'{ENTRY} {{ @ = count(); }}',
         bt=f'{BT_ENTRY} {{ @ = count(); }}'),
    dict(name='idle', title='idle consumer', measure='idle', goal=('absolute', 0.2),
         d=f'{ENTRY} {{ @ = count(); }}',
         bt=f'{BT_ENTRY} {{ @ = count(); }}', limit='count'),
    dict(name='printf-rate', title='printf, 1 M events/s to a file', measure='rate', limit='printf3', goal=('exact', 0),
         per_second=1_000_000,
         d=f'{ENTRY} {{ printf("%d %d %d\\n", pid, tid, arg0); }}',
         bt=f'{BT_ENTRY} {{ printf("%d %d %d\\n", pid, tid, args.policy); }}'),
    dict(name='overload', title='overload: printf, 4 threads', measure='overload', limit='printf3', goal=('exact', 0),
         limit_options=('--ring-bytes', '65536'), d_options=('-b', '64k'),
         d=f'{ENTRY} {{ printf("%d %d %d\\n", pid, tid, arg0); }}',
         bt=f'{BT_ENTRY} {{ printf("%d %d %d\\n", pid, tid, args.policy); }}'),
    dict(name='overload-keys', title='overload: keys, small aggsize', measure='overload_keys', goal=('exact', 0),
         keys=200_000, limit='many_keys', limit_options=('--max-keys', '4096'), d_options=('-x', 'aggsize=64k'),
         d=f'{ENTRY} {{ @[arg0] = count(); }}'),
    dict(name='keys-100k', title='100 000 keys: kept; exit time', measure='keys', keys=100_000, goal=('limit', 3.0),
         limit='many_keys', limit_options=('--max-keys', '131072'), d_options=('-x', 'aggsize=32m'),
         d=f'{ENTRY} {{ @[arg0] = count(); }}',
         bt=f'{BT_ENTRY} {{ @[args.policy] = count(); }}', bt_env={'BPFTRACE_MAX_MAP_KEYS': '131072'}),
    dict(name='keys-1m', title='1 000 000 keys: kept; exit time', measure='keys', keys=1_000_000, goal=('limit', 3.0),
         limit='many_keys', limit_options=('--max-keys', '1048576'), d_options=('-x', 'aggsize=256m'),
         once=True,
         d=f'{ENTRY} {{ @[arg0] = count(); }}',
         bt=f'{BT_ENTRY} {{ @[args.policy] = count(); }}', bt_env={'BPFTRACE_MAX_MAP_KEYS': '1048576'}),
]
