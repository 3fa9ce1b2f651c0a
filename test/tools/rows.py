# SPDX-License-Identifier: Apache-2.0
"""One row for each tool: how it is called, beside which load of test/trigger/events.c, and which numbers of its output have to be
which of the load's own.

NAME, PID and PORT in the arguments stand for those of the load. A row's `want` is a list of (what, number in the output, least,
most), made of the output and the load.
"""

import os
import re


class Output:
    """What a tool printed, and the load that ran beside it."""

    def __init__(self, text, load, seconds):
        self.text = text
        self.lines = [line for line in text.splitlines() if line.strip()]
        self.load, self.seconds = load, seconds
        self.count, self.failed, self.bytes = (load.facts[key] for key in ('count', 'failed', 'bytes'))
        self.cpu_s, self.wall_s = load.facts['cpu_ns'] / 1e9, load.facts['wall_ns'] / 1e9

    def chosen(self, *words):
        """Lines with all these words as fields of their own."""
        return [fields for fields in (line.split() for line in self.lines) if all(word in fields for word in words)]

    def nr(self, *words):
        return len(self.chosen(*words))

    def sum(self, column, *words):
        """Of a column, numbered from 1, of lines with these words."""
        return sum(int(fields[column - 1]) for fields in self.chosen(*words)
                   if len(fields) >= column and re.fullmatch(r'-?\d+', fields[column - 1]))

    def histogram(self):
        """The sum of all counts of distributions."""
        return sum(int(n) for n in re.findall(r'^.*\|[@ ]*\s(\d+)\s*$', self.text, re.M))

    def exactly(self, what, got, number):
        return what, got, number, number


def exact(what, got, number='count'):
    """`got(output)` is the load's number."""
    return lambda o: [(what, got(o), getattr(o, number), getattr(o, number))]


def lines(*words, number='count'):
    """So many lines have these words; NAME, PID and PORT are replaced."""
    return lambda o: [('lines of ' + ' '.join(words), o.nr(*fill(words, o.load)), getattr(o, number), getattr(o, number))]


def total(column, *words, number='count'):
    return lambda o: [('sum of ' + ' '.join(words), o.sum(column, *fill(words, o.load)), getattr(o, number),
                       getattr(o, number))]


def fill(words, load):
    known = {'NAME': load.name, 'PID': str(load.pid), 'PORT': str(load.port)}
    return [re.sub('NAME|PID|PORT', lambda m: known[m.group()], word) for word in words]


def samples(hz):
    """Samples of a load that computes: as its CPU time, but for the samples that the machine's clock loses."""
    return lambda n, o: [('samples', n, int(o.cpu_s * hz * 0.6) - 5, int(o.cpu_s * hz * 1.15) + 5)]


def profile_rows(o):
    return sum(int(n) for n in re.findall(r'^ *%s +(\d+)$' % re.escape(o.load.name), o.text, re.M))


def hot_rows(o):
    return sum(int(line.split()[-1]) for line in o.lines if re.fullmatch(r'.*\s\d+', line))


def stack_rows(o):
    """Numbers that stand alone, or behind the name of the thread, after a stack."""
    return sum(int(n) for n in re.findall(r'^ *(?:%s)? *(\d+)(?: bytes)?$' % re.escape(o.load.name), o.text, re.M))


def hides_process_1():
    """Some virtual machines keep their supervisor, process 1, from all tracers: interrupts that arrive while it runs are seen by
    none (doc/tools-compared.md, Disks). Not even root can read its mappings there."""
    try:
        with open('/proc/1/maps', encoding='utf-8'):
            return False
    except PermissionError:
        return True


def ended(o, got):
    """Requests, whose ends are interrupts."""
    return [('requests', got, int(o.count * 0.97) if hides_process_1() else o.count, o.count)]


def queries(o):
    """Slow ones; how many of the others are slow is the machine's affair."""
    return [o.exactly('queries', sum(f"'{o.load.name}-" in line for line in o.lines), o.count), ('failed', o.failed, 0, 0)]


class Row:
    def __init__(self, tool, arguments, kind, rate, want):
        """`rate`: events a second."""
        self.tool, self.arguments, self.kind, self.rate, self.want = tool, arguments.split(), kind, rate, want


CPUS = os.cpu_count()

ROWS = [
    Row('bashreadline.d', '', 'shell', 5, lambda o: [o.exactly('lines', sum(f'echo {o.load.name}-' in x for x in o.lines), o.count)]),
    Row('biopattern.d', '-i 1', 'disk', 50, lambda o: [('reads', sum(int(x[3]) for x in map(str.split, o.lines) if x[3].isdigit()),
                                                        o.count, 10**9)]),
    Row('bitesize.d', '-i 1 -n NAME', 'disk', 50, exact('reads', Output.histogram)),
    Row('cachestat.d', '-i 1 -n NAME', 'file', 100, lambda o: [('hits', sum(int(x.split()[0]) for x in o.lines if x.split()[0].isdigit()),
                                                               o.count, 3 * o.count + 10)]),
    Row('capable.d', '-n NAME', 'capable', 100, lines('NAME', 'CAP_SYS_ADMIN', '0')),
    Row('cpudist.d', '-i 1 -n NAME', 'nap', 50, lambda o: [('runs', o.histogram(), o.count, 3 * o.count + 10)]),
    Row('dtruss.d', '-s getppid -n NAME', 'call', 100,
        lambda o: [o.exactly('calls', sum('getppid()' in line for line in o.lines), o.count)]),
    Row('errinfo.d', '-i 1 -n NAME', 'fail', 100, total(4, 'NAME', 'close', 'EBADF')),
    Row('execsnoop.d', '', 'exec', 10,
        lambda o: [o.exactly('programs', sum(x[1] == str(o.load.pid) for x in o.chosen('events-child')), o.count)]),
    Row('exitsnoop.d', '', 'exec', 10,
        lambda o: [o.exactly('processes', sum(x[1] == str(o.load.pid) for x in o.chosen('true')), o.count)]),
    Row('fileslower.d', '-m 0 -n NAME', 'file', 50,
        lambda o: [(what, o.nr(o.load.name, what), o.count, o.count) for what in ('pread64', 'pwrite64')]),
    Row('filetop.d', '-i 1 -n NAME', 'file', 100,
        lambda o: [('bytes', sum(int(x[3]) for x in o.chosen(o.load.name) if x[-1].endswith('events.file')), o.bytes, o.bytes)]),
    Row('fsslower.d', '-m 0 -n NAME', 'file', 50, lambda o: [(what, o.nr(o.load.name, what), o.count, o.count) for what in 'RW']),
    Row('funccount.d', '-i 1 -p PID a.out:events_work', 'function', 100, total(3, 'events_work')),
    Row('funclatency.d', '-i 1 -s -p PID a.out:events_work', 'function', 100, total(2, 'events_work')),
    Row('gethostlatency.d', '-n NAME', 'lookup', 20, lines('NAME', 'localhost', '0')),
    Row('hotkernel.d', '-i 1 -M -n NAME', 'kernel', 200, lambda o: samples(997)(hot_rows(o), o)),
    Row('hotuser.d', '-i 1 -M -n NAME', 'spin', 200, lambda o: [('samples', hot_rows(o), int(o.cpu_s * 300), int(o.cpu_s * 1100) + 5)]),
    Row('intrstat.d', '-i 1 -s', 'nap', 20, lambda o: [('interrupts of timers', o.sum(4, 'TIMER'), 1, 10**9)]),
    Row('iolatency.d', '-i 1 -s -n NAME', 'disk', 50, lambda o: ended(o, o.sum(3, 'R'))),
    Row('iosnoop.d', '-n NAME', 'disk', 50, lambda o: ended(o, o.nr(o.load.name, 'R'))),
    Row('iostat.d', '-i 1', 'disk', 50, lambda o: [('reads', sum(int(x[1]) for x in map(str.split, o.lines) if x[1].isdigit()),
                                                    o.count, 10**9)]),
    Row('iotop.d', '-i 1 -n NAME', 'disk', 50, total(5, 'NAME', 'R', number='bytes')),
    Row('javacalls.d', '-i 1 -p PID -f Events.work', 'java', 20, total(1, 'Events.work')),
    Row('killsnoop.d', '-n NAME', 'kill', 100, lines('NAME', 'PID', '0')),
    Row('lockstat.d', '-i 1 -n NAME', 'pipe', 10000,
        lambda o: [('waits for the mutex of the pipe', o.nr('mutex'), 1, 10**9),
                   ('nanoseconds', o.sum(3, 'mutex'), 1000, int(5 * o.wall_s * 1e9))]),
    Row('mariadbslow.d', '-m 30 -p PID', 'mariadb', 5, queries),
    Row('memleak.d', '-p PID', 'malloc', 100, exact('bytes', stack_rows, 'bytes')),
    Row('offcputime.d', '-i 1 -n NAME', 'nap', 20,
        lambda o: [('microseconds', o.sum(2, o.load.name, 'us'), o.count * 1000, int(o.wall_s * 1e6) + 1000000)]),
    Row('oomkill.d', '', 'oom', 1, lambda o: [o.exactly('processes', sum(x[1] == o.load.name for x in map(str.split, o.lines)), o.failed)]),
    Row('opensnoop.d', '-n NAME', 'open', 200,
        lambda o: [('files', o.nr(o.load.name, 'events.there', '0'), o.count - o.failed, o.count - o.failed),
                   ('missing', o.nr(o.load.name, 'events.missing', 'ENOENT'), o.failed, o.failed)]),
    Row('pgslow.d', '-m 30', 'postgres', 5, queries),
    Row('plockstat.d', '-i 1 -p PID', 'lock', 20,
        lambda o: [('waits', o.sum(3, 'Mutex', 'block', 'events`events_mutex'), o.bytes - 1, o.bytes)]),
    Row('procsystime.d', '-i 1 -n NAME', 'call', 100, total(2, 'getppid')),
    Row('profile.d', '-i 1 -m 1000 -n NAME', 'spin', 200, lambda o: samples(99)(profile_rows(o), o)),
    Row('runqlat.d', '-i 1 -s -n NAME', 'nap', 50, lambda o: [('waits', o.sum(3, 'all', 'threads'), o.count, 4 * o.count + 10)]),
    Row('runqlen.d', '-i 1', 'spin', 100, lambda o: [('samples', o.histogram(), int(o.cpu_s * 50), int((o.seconds + 20) * CPUS * 120))]),
    Row('runqslower.d', '-m 0 -n NAME', 'nap', 50, lambda o: [('waits', o.nr(o.load.name), o.count, 4 * o.count + 10)]),
    Row('slabratetop.d', '-i 1 -n NAME', 'open', 200, lambda o: [('open files', o.sum(3, 'filp'), o.count - o.failed, 2 * o.count + 10)]),
    Row('softirqs.d', '-i 1', 'nap', 20, lambda o: [('interrupts of timers', o.sum(3, 'TIMER'), 1, 10**9)]),
    Row('pythonflow.d', '-p PID', 'python', 50,
        lambda o: [o.exactly(what, o.nr(what, 'events_work'), o.count) for what in ('->', '<-')]),
    Row('rwtop.d', '-i 1 -n NAME', 'file', 100,
        lambda o: [('bytes', sum(int(x[4]) for x in o.chosen(o.load.name) if x[3] not in ('pipefs', 'sockfs')), o.bytes, o.bytes)]),
    Row('ssllatency.d', '-i 1 -s -n NAME', 'tls', 20,
        lambda o: [o.exactly('writes', o.sum(4, o.load.name, 'write'), o.count),
                   o.exactly('bytes', o.sum(6, o.load.name, 'write'), o.bytes),
                   o.exactly('bytes read', o.sum(6, o.load.name, 'read'), o.bytes // 10)]),
    Row('sslsniff.d', '-n NAME', 'tls', 20, lambda o: [o.exactly('writes', o.nr('WRITE', o.load.name), o.count),
                                                       o.exactly('bytes', o.sum(5, 'WRITE', o.load.name), o.bytes)]),
    Row('stackcount.d', '-i 1 -p PID pid$target:a.out:events_work:entry', 'function', 100, exact('calls', stack_rows)),
    Row('statsnoop.d', '-n NAME', 'stat', 200,
        lambda o: [('files', o.nr(o.load.name, 'events.there', '0'), o.count - o.failed, o.count - o.failed),
                   ('missing', o.nr(o.load.name, 'events.missing', 'ENOENT'), o.failed, o.failed)]),
    Row('syncsnoop.d', '-n NAME', 'sync', 10, lines('NAME', 'fsync', '0')),
    Row('syscount.d', '-i 1 -n NAME', 'call', 100, total(2, 'getppid')),
    Row('tcpaccept.d', '-n NAME', 'tcp', 20, lines('NAME', 'PORT')),
    Row('tcpconnect.d', '-n NAME', 'tcp', 20, lines('NAME', 'PORT', '0')),
    Row('tcplife.d', '-r PORT', 'tcp', 20, lines('PORT', '100', '10')),
    # The kernel counts a segment before it knows whether it can be sent.
    Row('tcpretrans.d', '-P PORT', 'unanswered', 2,
        lambda o: [('SYNs', o.nr(str(o.load.port), 'state-syn-sent'), int(o.bytes * 0.99), o.bytes)]),
    Row('tcpdrop.d', '', 'refuse', 20, lambda o: [('SYNs', o.nr('SYN', 'SKB_DROP_REASON_NO_SOCKET'), o.count, 10 * o.count + 100)]),
    Row('tcprtt.d', '-i 1 -s -r PORT', 'tcp', 20, lambda o: [('segments', o.sum(2, 'all'), o.count, 10 * o.count)]),
    Row('tcpstates.d', '-r PORT', 'tcp', 20,
        lambda o: [('closed', sum(x[6] == 'state-closed' for x in o.chosen(str(o.load.port))), o.count, o.count)]),
    Row('tcptop.d', '-i 1 -m 10000 -n NAME', 'tcp', 20,
        lambda o: [(d, o.sum(8, o.load.name, d), o.bytes, o.bytes) for d in ('TX', 'RX')]),
    Row('threadsnoop.d', '-n NAME', 'thread', 50, lines('NAME', 'thread')),
    Row('udptop.d', '-i 1 -n NAME', 'udp', 50, lambda o: [(d, o.sum(8, o.load.name, d), o.bytes, o.bytes) for d in ('TX', 'RX')]),
    Row('vmstat.d', '-i 1 -n NAME', 'call', 100,
        lambda o: [('calls', sum(int(x[0]) for x in map(str.split, o.lines) if x[0].isdigit()), o.count, 3 * o.count + 20)]),
]
