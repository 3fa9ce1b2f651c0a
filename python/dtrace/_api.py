# SPDX-License-Identifier: Apache-2.0
"""libdtrace by ctypes: the structures and functions of <dtrace.h> that the package uses, as that header has them."""
import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint8, c_uint16
from ctypes import c_uint32, c_uint64, c_void_p

VERSION = 3
OPEN_COMPILE_ONLY = 1
SPEC_NONE = -1  # a text of several lines, as a script
FLAG_EMPTY, FLAG_MATCH_NOTHING, FLAG_TAGS, FLAG_ARGUMENTS = 0x2, 0x4, 0x100, 0x200
WORK_ERROR, WORK_OKAY, WORK_DONE = -1, 0, 1
CONSUME_THIS, CONSUME_NEXT = 0, 1
ERROR_COMPILER, ERROR_PRIVILEGES, ERROR_BUSY, ERROR_FAULT, ERROR_DROP = 1003, 1001, 1008, 1015, 1016
OPTION_UNSET = -2
VALUE_NONE, VALUE_SIGNED, VALUE_UNSIGNED, VALUE_FLOAT, VALUE_TEXT, VALUE_BYTES, VALUE_STACK, VALUE_USTACK, VALUE_SYMBOL, \
    VALUE_USYMBOL = range(10)
QUANTIZE_BUCKETS, QUANTIZE_ZERO = 127, 63
PRINTED = 1

ACTIONS = {1: 'trace', 2: 'exit', 3: 'printf', 4: 'printa', 6: 'tracemem', 0x101: 'ustack', 0x102: 'jstack', 0x103: 'usym',
           0x104: 'umod', 0x105: 'uaddr', 0x201: 'stop', 0x202: 'raise', 0x203: 'system', 0x204: 'freopen',
           0x401: 'stack', 0x402: 'sym', 0x403: 'mod', 0x503: 'chill', 0x601: 'speculate', 0x602: 'commit',
           0x603: 'discard'}
FUNCTIONS = {0x701: 'count', 0x702: 'min', 0x703: 'max', 0x704: 'avg', 0x705: 'sum', 0x706: 'stddev', 0x707: 'quantize',
             0x708: 'lquantize', 0x709: 'llquantize'}


class ProbeDescription(Structure):
    _fields_ = [('id', c_uint32), ('provider', c_char * 64), ('module', c_char * 64), ('function', c_char * 192),
                ('name', c_char * 64)]


class Record(Structure):
    _fields_ = [('action', c_uint16), ('size', c_uint32), ('offset', c_uint32), ('alignment', c_uint16),
                ('format', c_uint16), ('arg', c_uint64), ('uarg', c_uint64)]


class EnabledProbe(Structure):
    _fields_ = [('epid', c_uint32), ('probe_id', c_uint32), ('uarg', c_uint64), ('size', c_uint32), ('nrecs', c_int),
                ('records', Record * 1)]


class AggregationDescription(Structure):
    _fields_ = [('name', c_char_p), ('varid', c_int64), ('flags', c_int), ('id', c_uint32), ('epid', c_uint32),
                ('size', c_uint32), ('nrecs', c_int), ('pad', c_uint32), ('records', Record * 1)]


class ProbeData(Structure):
    _fields_ = [('handle', c_void_p), ('enabled', POINTER(EnabledProbe)), ('probe', POINTER(ProbeDescription)),
                ('cpu', c_int), ('data', c_void_p), ('flow', c_int), ('prefix', c_char_p), ('indent', c_int)]


class AggregationData(Structure):
    _fields_ = [('handle', c_void_p), ('description', POINTER(AggregationDescription)), ('enabled', c_void_p),
                ('probe', c_void_p), ('data', c_void_p), ('normal', c_uint64), ('size', c_size_t), ('delta', c_void_p),
                ('percpu', POINTER(c_void_p)), ('percpu_delta', c_void_p)]


class BufferedData(Structure):
    _fields_ = [('handle', c_void_p), ('text', c_char_p), ('probe', POINTER(ProbeData)), ('record', POINTER(Record)),
                ('aggregation', POINTER(AggregationData)), ('flags', c_uint32)]


class DropData(Structure):
    _fields_ = [('handle', c_void_p), ('cpu', c_int), ('kind', c_int), ('count', c_uint64), ('total', c_uint64),
                ('message', c_char_p)]


class ErrorData(Structure):
    _fields_ = [('handle', c_void_p), ('enabled', POINTER(EnabledProbe)), ('probe', POINTER(ProbeDescription)),
                ('cpu', c_int), ('action', c_int), ('offset', c_int), ('fault', c_int), ('address', c_uint64),
                ('message', c_char_p)]


class Attribute(Structure):
    _fields_ = [('name', c_uint8), ('data', c_uint8), ('class_', c_uint8)]


class ProgramInfo(Structure):
    _fields_ = [('descriptions', Attribute), ('statements', Attribute), ('aggregates', c_uint), ('recgens', c_uint),
                ('matches', c_uint), ('speculations', c_uint)]


PROBE = CFUNCTYPE(c_int, POINTER(ProbeData), c_void_p)
RECORD = CFUNCTYPE(c_int, POINTER(ProbeData), POINTER(Record), c_void_p)
WALK = CFUNCTYPE(c_int, POINTER(AggregationData), c_void_p)
BUFFERED = CFUNCTYPE(c_int, POINTER(BufferedData), c_void_p)
DROP = CFUNCTYPE(c_int, POINTER(DropData), c_void_p)
FAULT = CFUNCTYPE(c_int, POINTER(ErrorData), c_void_p)
MESSAGE = CFUNCTYPE(None, c_void_p, c_char_p, c_void_p)
EACH_PROBE = CFUNCTYPE(c_int, c_void_p, POINTER(ProbeDescription), c_void_p)

_FUNCTIONS = {
    'open': (c_void_p, c_int, c_int, POINTER(c_int)),
    'close': (None, c_void_p),
    'errno': (c_int, c_void_p),
    'errmsg': (c_char_p, c_void_p, c_int),
    'setopt': (c_int, c_void_p, c_char_p, c_char_p),
    'getopt': (c_int, c_void_p, c_char_p, POINTER(c_int64)),
    'program_strcompile': (c_void_p, c_void_p, c_char_p, c_int, c_uint, c_int, POINTER(c_char_p)),
    'program_exec': (c_int, c_void_p, c_void_p, POINTER(ProgramInfo)),
    'go': (c_int, c_void_p),
    'stop': (c_int, c_void_p),
    'sleep': (None, c_void_p),
    'poll_fd': (c_int, c_void_p),
    'work': (c_int, c_void_p, c_void_p, PROBE, RECORD, c_void_p),
    'aggregate_snap': (c_int, c_void_p),
    'aggregate_clear': (None, c_void_p),
    'aggregate_walk_keysorted': (c_int, c_void_p, WALK, c_void_p),
    'aggregate_walk_valsorted': (c_int, c_void_p, WALK, c_void_p),
    'handle_buffered': (c_int, c_void_p, BUFFERED, c_void_p),
    'handle_drop': (c_int, c_void_p, DROP, c_void_p),
    'handle_err': (c_int, c_void_p, FAULT, c_void_p),
    'handle_message': (c_int, c_void_p, MESSAGE, c_void_p),
    'proc_create': (c_void_p, c_void_p, c_char_p, POINTER(c_char_p)),
    'proc_grab_pid': (c_void_p, c_void_p, c_int, c_int),
    'proc_getpid': (c_int, c_void_p, c_void_p),
    'proc_continue': (None, c_void_p, c_void_p),
    'proc_release': (None, c_void_p, c_void_p),
    'addr2str': (c_int, c_void_p, c_uint64, c_char_p, c_int),
    'uaddr2str': (c_int, c_void_p, c_int, c_uint64, c_char_p, c_int),
    'probe_iter': (c_int, c_void_p, POINTER(ProbeDescription), EACH_PROBE, c_void_p),
}


def _paths():
    """Where the library may be: as the environment says, beside this package, where the system looks."""
    if 'DTRACE_LIBRARY' in os.environ:
        return [os.environ['DTRACE_LIBRARY']]
    try:
        from ._where import LIBRARY
    except ImportError:  # not installed
        return ['libdtrace.so.0']
    return [os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), LIBRARY)), 'libdtrace.so.0']


class Library:
    """The functions, without "dtrace_" before their names."""

    def __init__(self):
        *others, last = _paths()
        path = next((other for other in others if os.path.exists(other)), last)
        library = ctypes.CDLL(path)
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, 'dtrace_' + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


_library = None


def library():
    """Loaded when it is first wanted."""
    global _library
    if _library is None:
        _library = Library()
    return _library


def strings(words):
    """An argv of C: ends with NULL."""
    return (c_char_p * (len(words) + 1))(*[os.fsencode(word) for word in words], None)
