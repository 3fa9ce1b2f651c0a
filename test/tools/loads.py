#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads that are programs of others, called like test/trigger/events.c: loads.py -w [-s SECONDS] -n NAME KIND COUNT.

    shell    COUNT lines are typed into a shell
    tls      COUNT times 100 bytes go through OpenSSL, and 10 come back; `bytes` is what the client writes
    python   COUNT calls of a function named events_work
    java     COUNT calls of a method named Events.work; `bytes` is the process
    pipe     four processes write COUNT times to one pipe
    oom      COUNT processes die of a small control group of memory
    postgres COUNT queries that sleep for 30 ms, and as many that do not, in a server of its own
    mariadb  the same

The pid of "ready" is the process that is traced, its port 0. A kind that this machine cannot have says why in place of "ready".
"""

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import servers  # noqa: E402

options = dict(zip(sys.argv[2:-2:2], sys.argv[3:-2:2]))
seconds, name, kind, count = int(options.get('-s', 0)), options['-n'], sys.argv[-2], int(sys.argv[-1])
facts = {'count': count, 'failed': 0, 'bytes': 0, 'cpu_ns': 0, 'wall_ns': 0, 'port': 0}


def named(text):
    with open('/proc/self/comm', 'w', encoding='utf-8') as file:
        file.write(text)


def begin(pid=None):
    print('ready', pid or os.getpid(), 0, flush=True)
    if not sys.stdin.readline():
        sys.exit(1)
    return time.monotonic()


def cannot(why):
    print(why, flush=True)
    sys.exit(77)


def paced(start):
    for i in range(count):
        time.sleep(max(0, start + i * seconds / count - time.monotonic()))
        yield i


def shell():
    if shutil.which('script') is None:
        cannot('script is not installed')
    with open('typed', 'wb') as shown:
        typed = subprocess.Popen(['script', '-qec', 'bash --norc --noprofile -i', '/dev/null'], stdin=subprocess.PIPE, stdout=shown)
    for i in paced(begin()):
        typed.stdin.write(f'echo {name}-$(({i}))\n'.encode())
        typed.stdin.flush()
    typed.stdin.write(b'exit\n')
    typed.stdin.flush()
    typed.wait(60)
    return None


def tls():
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'cert.pem', '-subj',
                    '/CN=localhost', '-days', '2'], check=True, stderr=subprocess.DEVNULL)
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        named('events-peer')
        ours.close()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('cert.pem', 'key.pem')
        try:
            stream = context.wrap_socket(theirs, server_side=True)
            while stream.recv(100):
                stream.sendall(b'y' * 10)
        except OSError:  # the client has gone
            pass
        os._exit(0)
    theirs.close()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    start = begin()
    stream = context.wrap_socket(ours)
    for _ in paced(start):
        stream.sendall(b'x' * 100)
        stream.recv(10)
    facts['bytes'] = 100 * count
    return stream.close


def python():
    if not os.access('/usr/bin/python3', os.X_OK):
        cannot('there is no /usr/bin/python3')
    if sys.executable != '/usr/bin/python3':  # the one that has probes
        os.execv('/usr/bin/python3', ['/usr/bin/python3'] + sys.argv)

    def events_work(n):
        return n + 1
    for i in paced(begin()):
        events_work(i)
    return None


def java():
    if shutil.which('javac') is None:
        cannot('javac is not installed')
    with open('Events.java', 'w', encoding='utf-8') as file:
        file.write('public class Events {\n  static int work(int n) { return n + 1; }\n'
                   '  public static void main(String[] a) throws Exception {\n    System.out.println("ready");\n'
                   '    java.util.Scanner in = new java.util.Scanner(System.in);\n    int sum = 0;\n'
                   '    while (in.hasNextLine()) { in.nextLine(); sum += work(sum); System.out.println(sum); }\n  }\n}\n')
    subprocess.run(['javac', 'Events.java'], check=True)
    child = subprocess.Popen(['java', '-XX:+DTraceMethodProbes', 'Events'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    for _ in paced(begin(child.pid)):
        child.stdin.write(b'go\n')
        child.stdin.flush()
        child.stdout.readline()
    return child.stdin.close


def pipe():
    read, write = os.pipe()
    start = begin()

    def drain():
        while os.read(read, 65536):
            pass
    reader = threading.Thread(target=drain)
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            os.close(read)
            for i in range(count):
                os.write(write, b'x' * 4096)
                if seconds and i % 1000 == 0:
                    time.sleep(max(0, start + i * seconds / count - time.monotonic()))
            os._exit(0)
        children.append(child)
    reader.start()
    for child in children:
        os.waitpid(child, 0)
    os.close(write)
    reader.join()
    return None


def oom():
    group = f'/sys/fs/cgroup/memory/{name}'
    try:
        os.mkdir(group)
        with open(f'{group}/memory.limit_in_bytes', 'w', encoding='utf-8') as file:
            file.write('30000000')
    except OSError:
        cannot('there is no control group of memory (version 1)')
    for _ in paced(begin()):
        child = os.fork()
        if child == 0:
            with open(f'{group}/cgroup.procs', 'w', encoding='utf-8') as file:
                file.write(str(os.getpid()))
            bytearray(b'x') * 200000000
            os._exit(0)
        facts['failed'] += os.WIFSIGNALED(os.waitpid(child, 0)[1])
    return lambda: os.rmdir(group)


def queries(kind_of_server):
    def load():
        if kind_of_server.lacks():
            cannot(f'{kind_of_server.lacks()} is not installed')
        server = kind_of_server()
        for i in paced(begin(server.pid)):
            server.run(f"SELECT {server.sleep}(0.03), '{name}-{i}'")
            server.run(f"SELECT 'quick-{i}'")
        facts['failed'] = server.finish()
        return server.close
    return load


named(name)
run = {'shell': shell, 'tls': tls, 'python': python, 'java': java, 'pipe': pipe, 'oom': oom,
       'postgres': queries(servers.PostgreSQL), 'mariadb': queries(servers.MariaDB)}[kind]
started = time.monotonic_ns()
end = run()
facts['wall_ns'] = time.monotonic_ns() - started
facts['cpu_ns'] = time.process_time_ns()
print(json.dumps(facts), flush=True)
sys.stdin.readline()
if end:
    end()
