# SPDX-License-Identifier: Apache-2.0
"""For the scripts of this topic: a collector that takes pushes by HTTP or HTTPS, and a server of names that knows one."""
import http.server
import json
import socket
import ssl
import struct
import subprocess
import threading


class Collector:
    """Takes what is pushed; `statuses` are answered first, the last one first. With `certificate`, by HTTPS."""

    def __init__(self, certificate=None):
        self.pushes, self.statuses, self.requests = [], [], set()
        self.came = threading.Condition()
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                collector.requests.add((self.path, self.headers['Content-Type']))
                status = collector.statuses.pop() if collector.statuses else 200
                if status == 200:
                    with collector.came:
                        collector.pushes.append(body)
                        collector.came.notify_all()
                self.send_response(status)
                self.send_header('Content-Length', '2')
                self.end_headers()
                self.wfile.write(b'{}')

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, count):
        """Until so many pushes have come."""
        with self.came:
            return self.came.wait_for(lambda: len(self.pushes) >= count, 60)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def make_certificate(path, name):
    """A certificate for `name` that signs itself, with its key, in one file."""
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', f'/CN={name}', '-addext', f'subjectAltName=DNS:{name}',
                    '-keyout', path + '.key', '-out', path + '.crt'], check=True, capture_output=True)
    with open(path, 'w') as both:
        for part in ('.key', '.crt'):
            with open(path + part) as file:
                both.write(file.read())


class Names:
    """A server of names at 127.0.0.1:53, where `name` is 127.0.0.1; `asked` are the names that were looked up."""

    def __init__(self, name):
        self.name, self.asked = name, []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.1', 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            query, client = self.socket.recvfrom(4096)
            labels, at = [], 12
            while query[at]:
                labels.append(query[at + 1:at + 1 + query[at]].decode())
                at += 1 + query[at]
            kind = struct.unpack('>H', query[at + 1:at + 3])[0]
            name = '.'.join(labels)
            self.asked.append(name)
            found = name.lower() == self.name and kind == 1
            flags = 0x8180 if name.lower() == self.name else 0x8183
            answer = query[:2] + struct.pack('>HHHHH', flags, 1, 1 if found else 0, 0, 0) + query[12:at + 5]
            if found:
                answer += struct.pack('>HHHIH', 0xc00c, 1, 1, 60, 4) + socket.inet_aton('127.0.0.1')
            self.socket.sendto(answer, client)
