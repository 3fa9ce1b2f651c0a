# SPDX-License-Identifier: Apache-2.0
"""For the scripts of this topic: a dtrace that serves, its texts, and what its aggregations are."""
import http.client
import json
import re
import signal
import subprocess
import sys
import threading


class Served:
    """A dtrace with --serve, until it is stopped; `options` come before the program."""

    def __init__(self, dtrace, program, *options, address='0', prefix=(), close_fds=True):
        self.ran = subprocess.Popen([*prefix, dtrace, '-xformat=json', '--serve', address, *options, '-qn', program],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, close_fds=close_fds)
        self.messages, self.lines = [], []
        self.ready, self.began = threading.Event(), threading.Event()
        self.address = None
        self.threads = [threading.Thread(target=self.hear), threading.Thread(target=self.read)]
        for thread in self.threads:
            thread.start()
        self.ready.wait(60)

    def hear(self):
        for line in self.ran.stderr:
            if found := re.match(r'dtrace: serving metrics at http://(.*)/metrics$', line):
                self.address = found.group(1)
                self.ready.set()
            else:
                self.messages.append(line.rstrip())
        self.ready.set()

    def read(self):
        """Rows may come before the program is ready to be asked: the first says that BEGIN has run."""
        for line in self.ran.stdout:
            self.lines.append(json.loads(line))
            if self.lines[-1]['type'] == 'row':
                self.began.set()
        self.began.set()

    def connection(self, timeout=60):
        host, port = self.address.rsplit(':', 1)
        return http.client.HTTPConnection(host.strip('[]'), int(port), timeout=timeout)

    def get(self, accept='text/plain', path='/metrics', method='GET'):
        connection = self.connection()
        connection.request(method, path, headers={'Accept': accept} if accept else {})
        answer = connection.getresponse()
        return answer.status, answer.getheader('Content-Type'), answer.read()

    def text(self, accept='text/plain'):
        status, _, body = self.get(accept)
        assert status == 200, (status, body)
        return body.decode()

    def exporters(self):
        """The process ids of exporters; the name is the kernel's, of 15 letters."""
        return [int(pid) for pid in subprocess.run(['pgrep', '-P', str(self.ran.pid), 'dtrace-exporter'], capture_output=True, text=True).stdout.split()]

    def exporter(self):
        """The process id of the exporter."""
        [pid] = self.exporters()
        return pid

    def stop(self):
        """Ends it; what its aggregations were, by name."""
        self.ran.send_signal(signal.SIGINT)
        self.ran.wait(60)
        for thread in self.threads:
            thread.join()
        return aggregations(self.lines)


def aggregations(lines):
    return {line['name']: line for line in lines if line['type'] == 'aggregation'}


SAMPLE = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"')


def unescaped(text):
    return re.sub(r'\\(.)', lambda found: {'n': '\n'}.get(found.group(1), found.group(1)), text)


def samples(text):
    """By name and labels: the number, as text."""
    found = {}
    for line in text.splitlines():
        if line.startswith('#') or not line:
            continue
        parts = SAMPLE.match(line)
        assert parts, line
        labels = tuple(sorted((name, unescaped(value)) for name, value in LABEL.findall(parts.group(2) or '')))
        assert (parts.group(1), labels) not in found, 'twice: ' + line
        found[parts.group(1), labels] = parts.group(3)
    return found


def bucket_bounds(entry):
    """(greatest or None, count) of the buckets of a line of JSON."""
    return [(bucket['greatest'], bucket['count']) for bucket in entry['buckets']]


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:500]}\n  not {str(wanted)[:500]}')
        sys.stdout.flush()
