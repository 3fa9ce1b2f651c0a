#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client by ctypes alone, which has structures and offsets of its own: what consumers in other languages do.

usage: ctypes_client.py LIBRARY"""
import ctypes
import os
import sys
import time
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_uint, c_void_p

SKIPPED = 77


class RecordDescription(Structure):
    """Only what is looked at; callbacks are given pointers."""
    _fields_ = [('action', ctypes.c_uint16), ('size', ctypes.c_uint32), ('offset', ctypes.c_uint32)]


class ProbeData(Structure):
    _fields_ = [('handle', c_void_p), ('enabled', c_void_p), ('probe', c_void_p), ('cpu', c_int), ('data', c_void_p),
                ('flow', c_int), ('prefix', c_char_p), ('indent', c_int)]


class BufferedData(Structure):
    _fields_ = [('handle', c_void_p), ('buffered', c_char_p), ('probe', POINTER(ProbeData)), ('record', c_void_p),
                ('aggregation', c_void_p), ('flags', c_uint)]


class AggregationData(Structure):
    _fields_ = [('handle', c_void_p), ('description', c_void_p), ('enabled', c_void_p), ('probe', c_void_p),
                ('data', c_void_p), ('normal', ctypes.c_uint64), ('size', ctypes.c_size_t)]


PROBE = CFUNCTYPE(c_int, POINTER(ProbeData), c_void_p)
RECORD = CFUNCTYPE(c_int, POINTER(ProbeData), POINTER(RecordDescription), c_void_p)
BUFFERED = CFUNCTYPE(c_int, POINTER(BufferedData), c_void_p)
WALK = CFUNCTYPE(c_int, POINTER(AggregationData), c_void_p)

ERROR, OKAY, DONE = -1, 0, 1
NAME, MAY_MATCH_NOTHING = 3, 4


def load(path):
    library = ctypes.CDLL(path)
    for name, result, arguments in [
            ('dtrace_open', c_void_p, [c_int, c_int, POINTER(c_int)]),
            ('dtrace_close', None, [c_void_p]),
            ('dtrace_go', c_int, [c_void_p]),
            ('dtrace_stop', c_int, [c_void_p]),
            ('dtrace_sleep', None, [c_void_p]),
            ('dtrace_work', c_int, [c_void_p, c_void_p, PROBE, RECORD, c_void_p]),
            ('dtrace_errno', c_int, [c_void_p]),
            ('dtrace_errmsg', c_char_p, [c_void_p, c_int]),
            ('dtrace_setopt', c_int, [c_void_p, c_char_p, c_char_p]),
            ('dtrace_handle_buffered', c_int, [c_void_p, BUFFERED, c_void_p]),
            ('dtrace_aggregate_walk', c_int, [c_void_p, WALK, c_void_p]),
            ('dtrace_aggregate_walk_valsorted', c_int, [c_void_p, WALK, c_void_p]),
            ('dtrace_aggregate_snap', c_int, [c_void_p]),
            ('dtrace_program_strcompile', c_void_p, [c_void_p, c_char_p, c_int, c_uint, c_int, POINTER(c_char_p)]),
            ('dtrace_program_exec', c_int, [c_void_p, c_void_p, c_void_p])]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Consumer:
    """Runs programs, and keeps what comes."""

    def __init__(self, library):
        self.library = library
        self.cpus, self.actions, self.texts, self.entries = [], [], [], []
        self.probe = PROBE(self.on_probe)
        self.record = RECORD(self.on_record)
        self.buffered = BUFFERED(self.on_text)
        self.walker = WALK(self.on_entry)
        error = c_int(0)
        self.handle = library.dtrace_open(3, 0, ctypes.byref(error))
        if not self.handle:
            text = library.dtrace_errmsg(None, error).decode()
            print('skipped:' if 'root' in text else 'failed:', text)
            sys.exit(SKIPPED if 'root' in text else 1)
        for option in (b'bufsize', b'aggsize'):
            self.check(library.dtrace_setopt(self.handle, option, b'4m') == 0)

    def check(self, succeeded):
        if not succeeded:
            number = self.library.dtrace_errno(self.handle)
            raise RuntimeError(self.library.dtrace_errmsg(self.handle, number).decode())

    def on_probe(self, data, _):
        self.cpus.append(data.contents.cpu)
        return 0

    def on_record(self, _, record, __):
        if not record:
            return 1
        self.actions.append(record.contents.action)
        return 0

    def on_text(self, data, _):
        self.texts.append(data.contents.buffered.decode().strip())
        return 0

    def on_entry(self, data, _):
        # A text key lies at 16 and has 256 bytes; then comes the value.
        at = data.contents.data
        key = ctypes.cast(at + 16, c_char_p).value.decode()
        self.entries.append((key, ctypes.cast(at + 272, POINTER(c_int)).contents.value))
        return 0

    def start(self, program):
        library = self.library
        self.check(library.dtrace_handle_buffered(self.handle, self.buffered, None) != -1)
        compiled = library.dtrace_program_strcompile(self.handle, program.encode(), NAME, MAY_MATCH_NOTHING, 0, None)
        self.check(compiled)
        self.check(library.dtrace_program_exec(self.handle, compiled, None) != -1)
        self.check(library.dtrace_go(self.handle) == 0)

    def turn(self):
        self.library.dtrace_sleep(self.handle)
        status = self.library.dtrace_work(self.handle, None, self.probe, self.record, None)
        self.check(status != ERROR)
        return status == OKAY

    def stop(self):
        self.library.dtrace_stop(self.handle)

    def walk(self, name='dtrace_aggregate_walk_valsorted'):
        self.entries = []
        self.check(getattr(self.library, name)(self.handle, self.walker, None) == 0)
        return self.entries

    def close(self):
        self.library.dtrace_close(self.handle)


def fire(count):
    for _ in range(count):
        os.getpriority(os.PRIO_PROCESS, 0)


def expect(seen, wanted):
    if seen != wanted:
        raise AssertionError(f'{seen} and not {wanted}')


def hello(library):
    consumer = Consumer(library)
    consumer.start('dtrace:::BEGIN {trace("Hello World"); exit(0);}')
    turns = 0
    while consumer.turn():
        turns += 1
        expect(turns < 100, True)
    consumer.stop()
    expect(consumer.texts, ['Hello World'])
    expect(consumer.actions, [1, 2])
    expect(len(consumer.cpus), 1)
    expect(consumer.walk(), [])
    consumer.close()


def counts(library):
    """Nobody takes a snapshot: dtrace_work() and dtrace_stop() do."""
    consumer = Consumer(library)
    consumer.start(f'syscall::getpriority:entry /pid == {os.getpid()}/ {{ @num[probefunc] = count(); }}'
                   f'syscall::getpgid:entry /pid == {os.getpid()}/ {{ @num[probefunc] = count(); }}')
    fire(7)
    os.getpgid(0)
    expect(consumer.turn(), True)
    consumer.stop()
    expect(consumer.walk(), [('getpgid', 1), ('getpriority', 7)])
    consumer.close()


def continuous(library):
    consumer = Consumer(library)
    consumer.start(f'syscall::getpriority:entry /pid == {os.getpid()}/ {{ @[execname] = count(); }}')
    total = 0
    for count in (2, 3, 4):
        fire(count)
        total += count
        consumer.turn()
        consumer.check(library.dtrace_aggregate_snap(consumer.handle) == 0)
        expect([value for _, value in consumer.walk('dtrace_aggregate_walk')], [total])
    consumer.stop()
    consumer.close()


def mistakes(library):
    consumer = Consumer(library)
    try:
        consumer.start('BEGIN { trace(nosuch); }')
    except RuntimeError as error:
        expect('failed to resolve nosuch' in str(error), True)
    else:
        raise AssertionError('it compiled')
    consumer.close()
    # A program that matches nothing runs all the same.
    consumer = Consumer(library)
    consumer.start('nosuch:::probe { trace(1); }')
    consumer.stop()
    consumer.close()


def main():
    library = load(sys.argv[1])
    for test in (hello, counts, continuous, mistakes):
        began = time.monotonic()
        test(library)
        print(f'{test.__name__}: {time.monotonic() - began:.1f} s')


if __name__ == '__main__':
    main()
