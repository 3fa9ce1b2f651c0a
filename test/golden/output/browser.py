# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium for the golden scripts of this folder, driven through its DevTools pipe: one message of JSON at a
time, each ended by a zero byte."""
import base64
import itertools
import json
import os
import pathlib
import select
import struct
import subprocess
import tempfile
import time
import zlib

COMMAND = next((path for name in ('chromium', 'chromium-browser', 'google-chrome')
                for folder in os.environ.get('PATH', '').split(':') if os.access(path := f'{folder}/{name}', os.X_OK)), None)


class Browser:
    """Opens one page at a time. `problems` has everything that a page reported as an error, `requests` what it asked for."""

    def __init__(self, width=1280, height=800, patience=60):
        self.patience = patience
        self.problems, self.requests, self.events = [], [], []
        self.folder = tempfile.TemporaryDirectory(prefix='browser')
        theirs_in, self.to = os.pipe()
        self.come_from, theirs_out = os.pipe()
        words = [COMMAND, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
                 '--remote-debugging-pipe', f'--user-data-dir={self.folder.name}', f'--window-size={width},{height}',
                 '--force-device-scale-factor=1', '--disable-background-networking', 'about:blank']
        self.process = subprocess.Popen(['/bin/bash', '-c', 'exec 3<&"$0" 4>&"$1" && shift && exec "$@"', str(theirs_in),
                                         str(theirs_out), *words], pass_fds=(theirs_in, theirs_out),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.pending, self.number, self.session = b'', 0, None
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network', 'DOM'):
            self.call(f'{domain}.enable')
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.come_from)
        try:
            self.folder.cleanup()
        except OSError:  # a child of the browser still writes
            pass

    def receive(self, until):
        while b'\0' not in self.pending:
            ready, _, _ = select.select([self.come_from], [], [], max(0, until - time.monotonic()))
            chunk = os.read(self.come_from, 1 << 16) if ready else b''
            if not chunk:
                raise TimeoutError('the browser does not answer' if not ready else 'the browser has ended')
            self.pending += chunk
        message, self.pending = self.pending.split(b'\0', 1)
        return json.loads(message)

    def note(self, message):
        about = message.get('params', {})
        match message.get('method'):
            case 'Runtime.exceptionThrown':
                details = about['exceptionDetails']
                self.problems.append(details.get('exception', {}).get('description', details['text']))
            case 'Runtime.consoleAPICalled' if about['type'] in ('error', 'warning', 'assert'):
                self.problems.append(str([value.get('value', value.get('description')) for value in about['args']]))
            case 'Log.entryAdded' if about['entry']['level'] in ('error', 'warning'):
                self.problems.append(about['entry']['text'])
            case 'Network.requestWillBeSent':
                self.requests.append(about['request']['url'])
            case 'Page.javascriptDialogOpening':
                self.problems.append(f"alert: {about['message']}")
                self.send('Page.handleJavaScriptDialog', accept=True)
        self.events.append(message.get('method'))

    def send(self, method, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.to, json.dumps(message).encode() + b'\0')
        return self.number

    def call(self, method, **parameters):
        number, until = self.send(method, **parameters), time.monotonic() + self.patience
        while True:
            message = self.receive(until)
            if message.get('id') == number:
                if 'error' in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message['result']
            self.note(message)

    def open(self, path, fragment=''):
        """Shows a file, and waits until it has loaded."""
        for url in ('about:blank', pathlib.Path(path).resolve().as_uri() + fragment):  # a new fragment alone loads nothing
            self.events.clear()
            self.call('Page.navigate', url=url)
            until = time.monotonic() + self.patience
            while 'Page.loadEventFired' not in self.events:
                self.note(self.receive(until))

    def ask(self, expression):
        """The value of an expression of JavaScript, also of a promise."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails']['exception']['description'])
        return answer['result'].get('value')

    def wait(self, expression):
        """Until an expression is true; its value."""
        return self.ask('new Promise(done => { const look = () => { const seen = (' + expression
                        + '); if (seen) done(seen); else setTimeout(look, 5); }; look(); })')

    def text(self, element):
        return self.ask(f'document.getElementById({json.dumps(element)}).textContent')

    def click(self, x, y):
        for kind in ('mouseMoved', 'mousePressed', 'mouseReleased'):
            self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, button='none' if kind == 'mouseMoved' else 'left',
                      clickCount=1)

    def move(self, x, y):
        self.call('Input.dispatchMouseEvent', type='mouseMoved', x=x, y=y)

    def key(self, key, text=None):
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, **({'text': text} if text else {}))
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key)

    def choose_file(self, selector, path):
        document = self.call('DOM.getDocument')['root']['nodeId']
        node = self.call('DOM.querySelector', nodeId=document, selector=selector)['nodeId']
        self.call('DOM.setFileInputFiles', nodeId=node, files=[os.path.realpath(path)])

    def dark(self, is_dark):
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if is_dark else 'light'}])

    def screenshot(self, path=None):
        data = base64.b64decode(self.call('Page.captureScreenshot', format='png')['data'])
        if path:
            pathlib.Path(path).write_bytes(data)
        return Picture(data)


class Picture:
    """Pixels of a PNG with eight bits a channel: `rows` of (red, green, blue)."""

    def __init__(self, data):
        at, packed = 8, b''
        while at < len(data):
            size, kind = struct.unpack('>I4s', data[at:at + 8])
            if kind == b'IHDR':
                self.width, self.height, depth, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
                if depth != 8 or colour not in (2, 6):
                    raise ValueError('another kind of PNG')
                step = 3 if colour == 2 else 4
            elif kind == b'IDAT':
                packed += data[at + 8:at + 8 + size]
            at += 12 + size
        raw, above, self.rows = zlib.decompress(packed), bytes(self.width * step), []
        for y in range(self.height):
            start = y * (self.width * step + 1)
            above = unfiltered(raw[start], raw[start + 1:start + 1 + self.width * step], above, step)
            self.rows.append(list(zip(above[::step], above[1::step], above[2::step])))

    def colours(self):
        """How many pixels have each colour."""
        counts = {}
        for row in self.rows:
            for pixel in row:
                counts[pixel] = counts.get(pixel, 0) + 1
        return counts


def unfiltered(how, line, above, step):
    """A line of a PNG, from the one above it; `step`: bytes a pixel."""
    if how == 0:
        return line
    if how == 2:
        return bytes((a + b) & 255 for a, b in zip(line, above))
    out = bytearray(line)
    if how == 1:
        for channel in range(step):
            out[channel::step] = bytes(itertools.accumulate(line[channel::step], lambda left, value: (left + value) & 255))
        return bytes(out)
    for i, value in enumerate(line):
        left, corner = (out[i - step], above[i - step]) if i >= step else (0, 0)
        out[i] = (value + ((left + above[i]) // 2 if how == 3 else paeth(left, above[i], corner))) & 255
    return bytes(out)


def paeth(left, above, corner):
    return min((left, above, corner), key=lambda value: abs(left + above - corner - value))
