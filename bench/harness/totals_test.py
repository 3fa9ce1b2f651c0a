# SPDX-License-Identifier: Apache-2.0
"""How the tracers' outputs are added up: python3 -m unittest discover -s bench -p '*_test.py'."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from harness.measure import Line, delivered, sum_of_keys  # noqa: E402
from harness.tracers import Bpftrace, Dtrace, Limit  # noqa: E402


class DtraceOutput(unittest.TestCase):
    def test_count_without_keys(self):
        self.assertEqual(Dtrace.total('ready\n\n            90000\n'), 90000)

    def test_keys_of_numbers_and_names(self):
        self.assertEqual(Dtrace.total('ready\n\n  1234  sched_get_priority_max      40\n  workload     2\n'), 42)

    def test_quantize_adds_the_counts_not_the_values(self):
        out = '''ready

           value  ------------- Distribution ------------- count
            4096 |                                         0
            8192 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 90000
           16384 |                                         0

'''
        self.assertEqual(Dtrace.total(out), 90000)

    def test_stack_frames_are_no_counts(self):
        out = 'ready\n\n\n              vmlinux`do_syscall_64+0x7f\n              0x7f12\n            90000\n'
        self.assertEqual(Dtrace.total(out), 90000)

    def test_nothing_printed_is_not_zero(self):
        self.assertIsNone(Dtrace.total('ready\n'))

    def test_drops_of_every_kind(self):
        err = 'dtrace: 12 drops on CPU 0\ndtrace: 1 drop on CPU 1\ndtrace: 3 aggregation drops on CPU 0\n'
        self.assertEqual(Dtrace.lost(err), 16)


class OtherOutputs(unittest.TestCase):
    def test_limit(self):
        self.assertEqual(Limit.total('ready\ntotal 7\n'), 7)
        self.assertEqual(Limit.lost('lost 3\n'), 3)

    def test_bpftrace(self):
        self.assertEqual(Bpftrace.total('Attached 2 probes\nready\n\n@[workload]: 90000\n'), 90000)
        self.assertEqual(Bpftrace.total('@: \n[8K, 16K)          90000 |@@@@@@|\n'), 90000)


class Files(unittest.TestCase):
    def setUp(self):
        fd, self.path = tempfile.mkstemp()
        os.close(fd)

    def tearDown(self):
        os.unlink(self.path)

    def write(self, text):
        with open(self.path, 'w') as file:
            file.write(text)

    def test_half_a_record_is_malformed(self):
        self.write('ready\n1 2 9999\n1 2 99\n1 2\n')
        self.assertEqual(delivered(self.path), (2, 1))

    def test_keys(self):
        self.write('ready\n\n       5        1\n       6        3\n')
        self.assertEqual(sum_of_keys(self.path), (2, 4))


class Verdicts(unittest.TestCase):
    def line(self, goal, recorded=None, **values):
        line = Line('x', 'x', 'ns', goal, recorded)
        line.values = values
        return line

    def test_ratio_to_the_limit(self):
        self.assertEqual(self.line(('limit', 1.15), limit=100, ours=115).verdict(), 'pass')
        self.assertEqual(self.line(('limit', 1.15), limit=100, ours=116).verdict(), 'FAIL')

    def test_the_recorded_peer_stands_in(self):
        self.assertEqual(self.line(('bpftrace', 0.25), recorded=400, ours=90).verdict(), 'pass')
        self.assertEqual(self.line(('bpftrace', 0.25), recorded=400, ours=90, bpftrace=300).verdict(), 'FAIL')

    def test_failure_of_ours_fails(self):
        line = self.line(('exact', 0), ours=100)
        line.failures['ours'] = '3 events unaccounted for'
        self.assertEqual(line.verdict(), 'FAIL')

    def test_without_ours_there_is_none(self):
        self.assertEqual(self.line(('limit', 1.15), limit=100).verdict(), '')


if __name__ == '__main__':
    unittest.main()
