# SPDX-License-Identifier: Apache-2.0
"""What tracing records, as values of Python."""
import ctypes
import struct
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from . import _api


class Probe(NamedTuple):
    """A probe, as `dtrace -l` lists it."""
    id: int
    provider: str
    module: str
    function: str
    name: str

    def __str__(self):
        return ':'.join(self[1:])


class Stack(NamedTuple):
    """stack() and ustack(): addresses, innermost first. Tracer.symbol() names them."""
    pid: int  # 0: the kernel's
    addresses: Tuple[int, ...]


class Symbol(NamedTuple):
    """sym(), usym() and their like: an address. Tracer.symbol() names it."""
    pid: int  # 0: the kernel's
    address: int


class Item(NamedTuple):
    """What one action of a clause recorded."""
    action: str          # 'trace', 'printf', 'stack', ...; '' of those that change aggregations or options
    values: Tuple[Any, ...]  # int, float, str, bytes, Stack, Symbol
    text: str            # as dtrace(1) shows it


class Row(NamedTuple):
    """A firing of a clause."""
    probe: Probe
    cpu: int
    clause: int  # number, from 0
    items: Tuple[Item, ...]

    @property
    def values(self):
        """Of all items."""
        return tuple(value for item in self.items for value in item.values)

    @property
    def text(self):
        return ''.join(item.text for item in self.items)


class Bucket(NamedTuple):
    """Of a histogram: values from `low` to `high`, both within it; None: no bound."""
    low: Optional[int]
    high: Optional[int]
    count: int


class Aggregation(NamedTuple):
    """An aggregation: values by keys, which are tuples, in the order of the values.

    A value is an int; of avg() and stddev() a float, or None where there is none; of quantize() and its siblings a list of the
    buckets that hold something."""
    name: str      # '_' of @
    function: str  # 'count', 'quantize', ...
    entries: Dict[Tuple[Any, ...], Any]

    @property
    def value(self):
        """Of an aggregation without keys."""
        return self.entries[()]


class Fault(NamedTuple):
    """A clause ended early."""
    probe: Optional[Probe]
    code: int
    address: int
    message: str


class Drop(NamedTuple):
    """Data that was not recorded."""
    kind: int
    cpu: Optional[int]
    count: int
    message: str


def text(raw):
    return raw.decode('utf-8', 'surrogateescape')


def probe_of(description):
    return Probe(description.id, text(description.provider), text(description.module), text(description.function),
                 text(description.name))


def records_of(description):
    """All records behind a description's first one."""
    return ctypes.cast(ctypes.addressof(description.records), ctypes.POINTER(_api.Record * description.nrecs)).contents


def _integer(raw, signed):
    return int.from_bytes(raw, 'little', signed=signed)


def _floating(raw):
    if len(raw) == 4:
        return struct.unpack('<f', raw)[0]
    if len(raw) == 8:
        return struct.unpack('<d', raw)[0]
    return float(ctypes.c_longdouble.from_buffer_copy(raw).value)


def _words(raw):
    return struct.unpack(f'<{len(raw) // 8}Q', raw)


def _addresses(words):
    return tuple(words[:words.index(0)] if 0 in words else words)


def value_of(record, data):
    """The value that a record describes; `data`: where all of the row's or entry's begins."""
    raw = ctypes.string_at(data + record.offset, record.size)
    kind = record.format
    if kind in (_api.VALUE_SIGNED, _api.VALUE_UNSIGNED):
        return _integer(raw, kind == _api.VALUE_SIGNED)
    if kind == _api.VALUE_TEXT:
        return text(raw.split(b'\0', 1)[0])
    if kind == _api.VALUE_FLOAT:
        return _floating(raw)
    if kind == _api.VALUE_STACK:
        return Stack(0, _addresses(_words(raw)))
    if kind == _api.VALUE_USTACK:
        pid, *addresses = _words(raw)
        return Stack(pid, _addresses(tuple(addresses)))
    if kind == _api.VALUE_SYMBOL:
        return Symbol(0, _words(raw)[0])
    if kind == _api.VALUE_USYMBOL:
        return Symbol(*_words(raw))
    return raw


# ---------------------------------------------------------------- aggregations


def _quantize_bounds(bucket):
    distance = bucket - _api.QUANTIZE_ZERO
    if distance == 0:
        return 0, 0
    low, high = 1 << (abs(distance) - 1), (1 << abs(distance)) - 1
    if distance > 0:
        return low, None if bucket == _api.QUANTIZE_BUCKETS - 1 else high
    return None if bucket == 0 else -high, -low


def _quantize(words, _):
    return [(*_quantize_bounds(bucket), count) for bucket, count in enumerate(words)]


def _lquantize(words, arg):
    step, levels = arg >> 48, arg >> 32 & 0xffff
    base = arg & 0xffffffff
    base -= (base & 0x80000000) << 1
    buckets = [(None, base - 1, words[1])]
    buckets += [(base + step * n, base + step * (n + 1) - 1, words[2 + n]) for n in range(levels)]
    return buckets + [(base + step * levels, None, words[2 + levels])]


def _llquantize(words, arg):
    factor, low, high, steps = arg >> 48, arg >> 32 & 0xffff, arg >> 16 & 0xffff, arg & 0xffff
    each = steps - steps // factor
    side = (high - low + 1) * each
    lower = []  # least magnitude of each bucket of a side; None: nothing can fall there
    for order in range(low, high + 1):
        floor, after = factor ** order, factor ** (order + 1)
        for index in range(each):
            if after >= steps:
                lower.append((index + steps // factor) * (after // steps))
            else:
                lower.append(floor + index if floor + index < after else None)
    lower.append(factor ** (high + 1))
    known = [(n, least) for n, least in enumerate(lower) if least is not None]
    centre = 1 + side + 1
    buckets = [(-(factor ** low) + 1, factor ** low - 1, words[centre])]
    for (n, least), (_, after) in zip(known, known[1:] + [(0, None)]):
        most = None if after is None else after - 1
        buckets.append((least, most, words[centre + n + 1]))
        buckets.insert(0, (None if most is None else -most, -least, words[centre - n - 1]))
    return buckets


_HISTOGRAMS = {'quantize': _quantize, 'lquantize': _lquantize, 'llquantize': _llquantize}


def _deviation(words, normal):
    count, total = words[0], _signed(words[1])
    if count == 0:
        return None
    squares = (words[2] | words[3] << 64) / normal ** 2
    return max(squares / count - (total / normal / count) ** 2, 0.0) ** 0.5


def _signed(word):
    return word - ((word & 1 << 63) << 1)


def _normalised(value, normal):
    return value if normal == 1 else abs(value) // normal * (1 if value >= 0 else -1)


def entry_of(data):
    """(number, name, function, keys, value) of an entry."""
    description = data.description.contents
    _, *keys, last = records_of(description)
    words = _words(ctypes.string_at(data.data + last.offset, last.size))
    function, normal = _api.FUNCTIONS[last.action], data.normal
    if function in _HISTOGRAMS:
        value = [Bucket(low, high, _normalised(_signed(count), normal))
                 for low, high, count in _HISTOGRAMS[function](words, last.arg) if count]
    elif function == 'avg':
        value = _signed(words[1]) / normal / words[0] if words[0] else None
    elif function == 'stddev':
        value = _deviation(words, normal)
    else:
        value = _normalised(_signed(words[0]), normal)
    return description.varid, text(description.name), function, tuple(value_of(key, data.data) for key in keys), value


def aggregations_of(entries: List[tuple]) -> Dict[str, Aggregation]:
    found: Dict[str, Aggregation] = {}
    for _, name, function, keys, value in entries:
        found.setdefault(name, Aggregation(name, function, {})).entries[keys] = value
    return found
