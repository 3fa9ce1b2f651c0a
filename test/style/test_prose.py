#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What prose.py finds, and what it leaves alone."""
import os
import tempfile
import unittest

import prose


class Prose(unittest.TestCase):
    def kinds(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            return [(number, kind) for number, kind, _ in prose.findings(path)]

    def test_comments(self):
        self.assertEqual(self.kinds('a.cpp', '// The place of a record.\nint x;  // waits for news\n'), [(1, 'place'), (2, 'news')])
        self.assertEqual(self.kinds('a.h', '/* The consumer\n * is told of it.\n */\n'), [(1, 'told')])
        self.assertEqual(self.kinds('a.py', 'x = 1\n# Whoever asks.\n'), [(2, 'whoever')])

    def test_names_are_no_words(self):
        self.assertEqual(self.kinds('a.cpp', 'int place = news;  // `place` counts\n'), [])
        self.assertEqual(self.kinds('a.cpp', 'constexpr int kMostRows = 3;\n'), [(1, 'most')])

    def test_documents(self):
        self.assertEqual(self.kinds('a.md', 'Of two probes,\none fires.\n\n    for want of code\n'), [(1, 'fronted')])
        self.assertEqual(self.kinds('a.md', 'Of course it fires.\n\n## Who may connect?\n'), [])
        self.assertEqual(self.kinds('a.md', '| a | ' + 'word ' * 26 + '|\n|---|---|\n'), [(1, 'long')])
        self.assertEqual(self.kinds('a.8', '.Bd -literal\nfor want of code\n.Ed\nIt is told\n.Nm news\n.Pp\n'), [(1, 'told')])

    def test_strings_of_two_lines_are_one(self):
        self.assertEqual(self.kinds('a.md', 'The consumer is\ntold of it.\n'), [(1, 'told')])


if __name__ == '__main__':
    unittest.main()
