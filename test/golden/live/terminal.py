# SPDX-License-Identifier: Apache-2.0
"""A command in a terminal of its own, whose screen can be read: a pseudo-terminal, and pyte as the emulator behind it."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

import pyte

PATIENCE = 60 * (5 if os.environ.get('slow') else 1)


class Terminal:
    def __init__(self, argv, columns=80, lines=24, **variables):
        self.master, self.slave = pty.openpty()
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b''
        self.resize(columns, lines)
        self.before = self.settings()
        env = {**os.environ, 'TERM': 'xterm-256color', **variables}
        self.process = subprocess.Popen(
            argv, stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
            env={name: value for name, value in env.items() if value is not None},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def settings(self):
        with os.fdopen(os.dup(self.slave)) as terminal:
            return subprocess.run(['stty', '-a'], stdin=terminal, capture_output=True, text=True, check=True).stdout

    def resize(self, columns, lines):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack('HHHH', lines, columns, 0, 0))
        self.screen.resize(lines, columns)
        self.window = columns, lines

    def press(self, keys):
        os.write(self.master, keys.encode())

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            data = os.read(self.master, 65536)
            self.bytes += data
            self.stream.feed(data)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def wait(self, what, accepts, seconds=None):
        """Until accepts(lines) is true, which it returns; else says what is missing and shows the screen."""
        end = time.monotonic() + (seconds or PATIENCE)
        while time.monotonic() < end:
            self.read(0.1)
            if seen := accepts(self.lines()):
                return seen
            if self.process.poll() is not None and not select.select([self.master], [], [], 0)[0]:
                break
        print(f'{what}: not seen', '' if self.process.returncode is None else f'(status {self.process.returncode})')
        print('\n'.join(f'  |{line}' for line in self.lines()))
        return None

    def signal(self, number):
        os.kill(self.process.pid, number)

    def end(self, keys=None, number=None):
        """Ends the command; its status, and what it printed after it had left the screen."""
        if keys:
            self.press(keys)
        if number:
            self.signal(number)
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        if self.process.poll() is None:
            print('does not end')
            self.process.kill()
        while select.select([self.master], [], [], 0.1)[0]:
            self.read(0)
        tidy = lambda text: '\n'.join(text.split('\n')[1:])  # the first line has the window's size
        if tidy(self.settings()) != tidy(self.before):
            print('terminal not restored:', self.settings(), 'was', self.before)
        entered, left = self.bytes.rfind(b'\033[?1049h'), self.bytes.rfind(b'\033[?1049l')
        if entered > left or self.bytes.rfind(b'\033[?25l') > self.bytes.rfind(b'\033[?25h'):
            print('screen not left')
        os.close(self.slave)
        text = self.bytes[left + len(b'\033[?1049l'):] if left >= 0 else self.bytes
        return self.process.returncode, text.decode().replace('\r\n', '\n')
