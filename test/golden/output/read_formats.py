# SPDX-License-Identifier: Apache-2.0
"""Reads what the formats of dtrace hold, for the golden scripts of this folder: protobuf by field numbers, profiles,
folded stacks."""
import gzip


def fields(data):
    """Field number and value of each field of a message: an integer, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        elif kind == 1:
            value = int.from_bytes(data[at:at + 8], 'little')
            at += 8
        elif kind == 2:
            size = varint()
            if at + size > len(data):
                raise ValueError('a field ends behind its message')
            value = data[at:at + size]
            at += size
        elif kind == 5:
            value = int.from_bytes(data[at:at + 4], 'little')
            at += 4
        else:
            raise ValueError(f'wire type {kind}')
        yield key >> 3, value


def message(data):
    """The values of each field."""
    values = {}
    for number, value in fields(data):
        values.setdefault(number, []).append(value)
    return values


def packed(chunks):
    """Numbers of a repeated field, packed or not."""
    numbers = []
    for chunk in chunks:
        if isinstance(chunk, int):
            numbers.append(chunk)
            continue
        value = shift = 0
        for byte in chunk:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                numbers.append(value)
                value = shift = 0
    return numbers


def signed(value):
    return value - 2**64 if value >= 2**63 else value


class Profile:
    """A file of pprof: `types`, and `samples` with `stack` (outermost first, inlined functions apart), `values` by type,
    `labels`, `mappings` of the frames."""

    def __init__(self, packed_bytes):
        top = message(gzip.decompress(packed_bytes))
        self.strings = [text.decode() for text in top[6]]
        if self.strings[0]:
            raise ValueError('the first string is not empty')
        self.types = [self.strings[message(part)[1][0]] for part in top[1]]
        self.mappings = {}
        for part in top.get(3, []):
            of = message(part)
            self.mappings[of[1][0]] = {
                'start': of.get(2, [0])[0], 'limit': of.get(3, [0])[0], 'offset': of.get(4, [0])[0],
                'file': self.strings[of[5][0]], 'build_id': self.strings[of.get(6, [0])[0]]}
        functions = {}
        for part in top.get(5, []):
            of = message(part)
            functions[of[1][0]] = (self.strings[of[2][0]], self.strings[of.get(4, [0])[0]])
        locations = {}
        for part in top.get(4, []):
            of = message(part)
            lines = []
            for line in of.get(4, []):
                about = message(line)
                lines.append(functions[about[1][0]] + (about.get(2, [0])[0],))
            locations[of[1][0]] = (of.get(3, [0])[0], self.mappings.get(of.get(2, [0])[0]), lines)
        self.samples = []
        for part in top.get(2, []):
            of = message(part)
            labels = {}
            for label in of.get(3, []):
                about = message(label)
                text = about.get(2, [0])[0]
                labels[self.strings[about[1][0]]] = self.strings[text] if text else signed(about.get(3, [0])[0])
            ids = packed(of.get(1, []))
            frames = [locations[number] for number in ids]
            self.samples.append({
                'stack': [line[0] for frame in reversed(frames) for line in reversed(frame[2])],
                'lines': [line for frame in reversed(frames) for line in reversed(frame[2])],
                'addresses': [frame[0] for frame in reversed(frames)],
                'mappings': [frame[1] for frame in reversed(frames)],
                'values': dict(zip(self.types, map(signed, packed(of[2])))),
                'labels': labels})
        self.time_ns = top.get(9, [0])[0]
        self.duration_ns = top.get(10, [0])[0]


def folded(text):
    """Lines of frames and a number."""
    lines = {}
    for line in text.removesuffix('\n').split('\n') if text else []:
        stack, number = line.rsplit(' ', 1)
        if stack in lines:
            raise ValueError(f'twice: {stack}')
        lines[stack] = int(number)
    return lines
