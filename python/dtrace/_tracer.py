# SPDX-License-Identifier: Apache-2.0
"""Programs, rows and aggregations."""
import asyncio
import collections
import ctypes
import functools
import re
import threading
import warnings
from typing import Any, Dict, List, NamedTuple, Optional

from . import _api
from ._values import Drop, Fault, Item, Probe, Row, aggregations_of, entry_of, probe_of, records_of, text, value_of


class Error(Exception):
    """Something that the library could not do. `number`: of errno, or from 1000 on of <dtrace.h>."""

    def __init__(self, message, number=0):
        super().__init__(message)
        self.number = number


class Diagnostic(NamedTuple):
    """One thing that is wrong with a program."""
    tag: str  # 'D_PROTO_LEN'; the manual lists them
    line: Optional[int]
    message: str


class ProgramError(Error):
    """A program is wrong; `diagnostics` says where and why."""

    def __init__(self, message, number, diagnostics):
        super().__init__(message, number)
        self.diagnostics = diagnostics


class DropWarning(RuntimeWarning):
    """Data was dropped, and nobody asked to be told."""


class FaultWarning(RuntimeWarning):
    """A clause ended early, and nobody asked to be told."""


class Program(NamedTuple):
    """What was added."""
    matches: int      # probes, each as often as a clause names it
    aggregates: int   # statements that aggregate
    recorders: int    # clauses that record data
    speculations: int


class Process(NamedTuple):
    """A process that tracing is about."""
    pid: int
    handle: int


_DIAGNOSTIC = re.compile(r'^\[(?P<tag>\w+)\] (?:(?:"[^"]*", )?line (?P<line>\d+): )?(?P<message>.*)', re.DOTALL)


def _diagnostics(message):
    """One for each line that begins with a tag; other lines go on with the last one."""
    found: List[Diagnostic] = []
    for line in message.split('\n'):
        parts = _DIAGNOSTIC.match(line)
        if parts:
            number = parts['line']
            found.append(Diagnostic(parts['tag'], int(number) if number else None, parts['message']))
        elif found:
            found[-1] = found[-1]._replace(message=f'{found[-1].message}\n{line}')
    return found


def _alone(method):
    """A method that uses the handle, which one thread may do at a time. ctypes lets go of the interpreter's lock."""
    @functools.wraps(method)
    def call(self, *arguments, **named):
        lock = self._lock  # pylint: disable=protected-access
        if not lock.acquire(blocking=False):
            raise Error('another thread uses the tracer', _api.ERROR_BUSY)
        try:
            return method(self, *arguments, **named)
        finally:
            lock.release()
    return call


class Tracer:
    """A tracer. Options are those of dtrace(1): Tracer(bufsize='8m', quiet=True).

        with dtrace.Tracer() as tracer:
            tracer.add('syscall::openat:entry { trace(copyinstr(arg1)); }')
            for row in tracer:          # starts it; ends when the program calls exit()
                print(row.probe.function, row.values[0])

    `on_drop`, `on_fault` and `on_message` are called with a Drop, a Fault and a str. Without the first two, drops and faults are
    warnings. It is used by one thread at a time: a method that another thread calls meanwhile raises Error, and changes
    nothing. So does close() in one of these functions. Processes are run and let go by the same thread."""

    _handle = None  # also where __init__ ended early

    def __init__(self, *, on_drop=None, on_fault=None, on_message=None, compile_only=False, **options):
        self._library = _api.library()
        self._lock = threading.RLock()
        self._nr_inside = 0  # functions that the library calls now
        self._rows: collections.deque = collections.deque()
        self._items: List[list] = []
        self._text_of: Optional[list] = None
        self._failure: Optional[BaseException] = None
        self._is_started = self._is_ended = self._is_done = False
        self._on_drop, self._on_fault, self._on_message = on_drop, on_fault, on_message
        number = ctypes.c_int(0)
        flags = _api.OPEN_COMPILE_ONLY if compile_only else 0
        handle = self._library.open(_api.VERSION, flags, ctypes.byref(number))
        if not handle:
            message = text(self._library.errmsg(None, number))
            if number.value == _api.ERROR_PRIVILEGES:
                raise PermissionError(message)
            raise Error(message, number.value)
        self._handle = handle
        # Callbacks live as long as the handle does.
        self._callbacks = (_api.PROBE(self._guard(self._see_row, -1)), _api.RECORD(self._guard(self._see_record, -1)),
                           _api.BUFFERED(self._guard(self._see_text, -1)), _api.DROP(self._guard(self._see_drop, -1)),
                           _api.FAULT(self._guard(self._see_fault, -1)),
                           _api.MESSAGE(self._guard(self._see_message, None)))
        self._probe, self._record, buffered, drop, fault, message = self._callbacks
        self._library.handle_buffered(handle, buffered, None)
        self._library.handle_drop(handle, drop, None)
        self._library.handle_err(handle, fault, None)
        self._library.handle_message(handle, message, None)
        for name, value in options.items():
            if value is not False and value is not None:
                self.set_option(name, None if value is True else value)

    # --- its life

    def close(self):
        """Ends tracing without another row. Commands that still run are killed.

        Raises Error, and does nothing, while the tracer is used: by another thread, or by the method that has called the
        function that calls this."""
        if self._handle:
            self._close()

    @_alone
    def _close(self):
        if self._nr_inside:
            raise Error('the tracer cannot be closed in a function that it calls', _api.ERROR_BUSY)
        handle, self._handle = self._handle, None
        if handle:  # else another thread was first
            self._library.close(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def _open(self):
        if not self._handle:
            raise ValueError('the tracer is closed')
        return self._handle

    def _error(self):
        handle = self._open()
        number = self._library.errno(handle)
        message = text(self._library.errmsg(handle, number))
        if number == _api.ERROR_COMPILER:
            return ProgramError(message, number, _diagnostics(message))
        if number == _api.ERROR_PRIVILEGES:
            return PermissionError(message)
        return Error(message, number)

    def _check(self, succeeded):
        failure, self._failure = self._failure, None
        if failure is not None:  # of a function that the library called
            raise failure
        if not succeeded:
            raise self._error()

    # --- before it starts

    @_alone
    def set_option(self, name: str, value: Any = None):
        """As dtrace -x name=value."""
        raw = None if value is None else str(value).encode()
        self._check(self._library.setopt(self._open(), name.encode(), raw) == 0)

    @_alone
    def option(self, name: str) -> Optional[int]:
        """The value of an option that is a number; None: not set."""
        value = ctypes.c_int64(0)
        self._check(self._library.getopt(self._open(), name.encode(), ctypes.byref(value)) == 0)
        return None if value.value == _api.OPTION_UNSET else value.value

    def add(self, program: str, *arguments, may_match_nothing=False) -> Program:
        """Adds a program, where `BEGIN` names a probe as it does after dtrace -n. $1 and so on stand for `arguments`.

        Raises ProgramError."""
        return self._add(program, 'dtrace', arguments, may_match_nothing)

    def add_script(self, path: str, *arguments, may_match_nothing=False) -> Program:
        """Adds a script, as dtrace -s does."""
        with open(path, encoding='utf-8', errors='surrogateescape') as file:
            script = file.read()
        return self._add(script, path, arguments, may_match_nothing)

    @_alone
    def _add(self, program, name, arguments, may_match_nothing):
        words = [name, *map(str, arguments)]
        flags = _api.FLAG_TAGS | (_api.FLAG_MATCH_NOTHING if may_match_nothing else 0)
        raw = program.encode('utf-8', 'surrogateescape')
        made = self._library.program_strcompile(self._open(), raw, _api.SPEC_NONE, flags, len(words), _api.strings(words))
        self._check(made)
        info = _api.ProgramInfo()
        self._check(self._library.program_exec(self._handle, made, ctypes.byref(info)) == 0)
        return Program(info.matches, info.aggregates, info.recgens, info.speculations)

    @_alone
    def run_command(self, words: List[str]) -> Process:
        """Starts a command, which waits until tracing has started. The first process is $target."""
        handle = self._library.proc_create(self._open(), words[0].encode(), _api.strings(words))
        self._check(handle)
        process = Process(self._library.proc_getpid(self._handle, handle), handle)
        self._commands = getattr(self, '_commands', []) + [process]
        return process

    @_alone
    def grab(self, pid: int) -> Process:
        """Takes a process that runs: its probes are found, and tracing ends with it."""
        handle = self._library.proc_grab_pid(self._open(), pid, 0)
        self._check(handle)
        return Process(pid, handle)

    @_alone
    def probes(self, pattern: str = '') -> List[Probe]:
        """Those that a description matches: 'syscall::open*:entry'."""
        fields = pattern.split(':')
        if len(fields) > 4:
            raise ValueError('a probe description has four fields at most')
        description = _api.ProbeDescription()
        for name, field in zip(('name', 'function', 'module', 'provider'), reversed(fields)):
            setattr(description, name, field.encode())
        found: List[Probe] = []

        def see(_, probe, __):
            found.append(probe_of(probe.contents))
            return 0
        each = _api.EACH_PROBE(self._guard(see, -1))
        self._check(self._library.probe_iter(self._open(), ctypes.byref(description), each, None) == 0)
        return found

    # --- while it runs

    @_alone
    def start(self):
        """Sets the probes. Iterating does it, too."""
        if self._is_started:
            return
        self._check(self._library.go(self._open()) == 0)
        self._is_started = True
        for process in getattr(self, '_commands', []):
            self._library.proc_continue(self._handle, process.handle)

    @_alone
    def stop(self):
        """Removes the probes and runs END. Rows that are left can still be iterated over."""
        self._check(self._library.stop(self._open()) == 0)

    @_alone
    def turn(self) -> bool:
        """Takes in what there is, without waiting. False: tracing has ended."""
        if not self._is_done:
            status = self._library.work(self._open(), None, self._probe, self._record, None)
            self._is_done = status == _api.WORK_DONE
            self._check(status != _api.WORK_ERROR)
        return not self._is_done

    def take_rows(self) -> List[Row]:
        """Those that turn() has taken in."""
        rows = list(self._rows)
        self._rows.clear()
        return rows

    def __iter__(self):
        """Rows, until tracing ends."""
        self.start()
        while True:
            while self._rows:
                yield self._rows.popleft()
            if self._is_done:
                return
            if self.turn() and not self._rows:
                self._sleep()

    @_alone
    def _sleep(self):
        self._library.sleep(self._open())

    @_alone
    def _poll_fd(self):
        fd = self._library.poll_fd(self._open())
        self._check(fd >= 0)
        return fd

    async def __aiter__(self):
        """The same in asyncio: other tasks run while there is nothing to do."""
        self.start()
        fd = self._poll_fd()
        loop = asyncio.get_running_loop()
        while True:
            while self._rows:
                yield self._rows.popleft()
            if self._is_done:
                return
            if self.turn() and not self._rows:
                ready = loop.create_future()
                loop.add_reader(fd, lambda waits=ready: waits.done() or waits.set_result(None))
                try:
                    await ready
                finally:
                    loop.remove_reader(fd)

    @_alone
    def snapshot(self):
        """Takes what the programs have aggregated until now."""
        self._check(self._library.aggregate_snap(self._open()) == 0)

    @_alone
    def clear(self):
        """Sets all values of aggregations to zero."""
        self._library.aggregate_clear(self._open())

    @_alone
    def aggregations(self, fresh=True) -> Dict[str, Any]:
        """All aggregations by name, those without entries left out; `fresh`: takes a snapshot before."""
        if fresh:
            self.snapshot()
        entries: List[tuple] = []

        def see(data, _):
            entries.append(entry_of(data.contents))
            return 0
        walk = _api.WALK(self._guard(see, -1))
        self._check(self._library.aggregate_walk_valsorted(self._open(), walk, None) == 0)
        return aggregations_of(entries)

    @_alone
    def symbol(self, address: int, pid: int = 0) -> str:
        """Name of an address of the kernel, or of a process: 'vmlinux`vfs_read+0x42'."""
        buffer = ctypes.create_string_buffer(1024)
        length = self._library.uaddr2str(self._open(), pid, address, buffer, len(buffer))
        self._check(length >= 0)
        return text(buffer.value)

    # --- what the library calls

    def _guard(self, function, failed):
        """Exceptions do not go through C: they wait until it has returned."""
        def call(*arguments):
            self._nr_inside += 1
            try:
                return function(*arguments)
            except BaseException as exception:  # pylint: disable=broad-except
                self._failure = self._failure or exception
                return failed
            finally:
                self._nr_inside -= 1
        return call

    def _see_row(self, _, __):
        self._items = []
        self._text_of = None
        return _api.CONSUME_THIS

    def _see_record(self, data, record, _):
        probe = data.contents
        if not record:
            description = probe.enabled.contents
            items = tuple(Item(action, values, ''.join(parts)) for action, values, parts in self._items)
            self._rows.append(Row(probe_of(probe.probe.contents), probe.cpu, description.uarg, items))
            return _api.CONSUME_NEXT
        first = record.contents
        begin = probe.data - first.offset
        # Its other records follow: they have the same number.
        values = tuple(value_of(other, begin) for other in records_of(probe.enabled.contents)
                       if other.uarg == first.uarg and other.format != _api.VALUE_NONE)
        self._items.append([_api.ACTIONS.get(first.action, ''), values, []])
        self._text_of = self._items[-1][2]
        return _api.CONSUME_THIS

    def _see_text(self, data, _):
        if self._text_of is not None:
            self._text_of.append(text(data.contents.text))
        return 0

    def _see_drop(self, data, _):
        drop = data.contents
        seen = Drop(drop.kind, None if drop.cpu < 0 else drop.cpu, drop.count, text(drop.message).rstrip('\n'))
        if self._on_drop is not None:
            self._on_drop(seen)
        else:
            warnings.warn(seen.message, DropWarning, stacklevel=2)
        return 0

    def _see_fault(self, data, _):
        fault = data.contents
        probe = probe_of(fault.probe.contents)
        seen = Fault(probe if probe.id else None, fault.fault, fault.address, text(fault.message).rstrip('\n'))
        if self._on_fault is not None:
            self._on_fault(seen)
        else:
            warnings.warn(seen.message, FaultWarning, stacklevel=2)
        return 0

    def _see_message(self, _, message, __):
        if self._on_message is not None:
            self._on_message(text(message))
