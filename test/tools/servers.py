# SPDX-License-Identifier: Apache-2.0
"""Database servers of the distribution for loads.py: each of a user without privileges, in a folder of its own, behind a socket. A
socket's path is short, so the folder is not the load's."""

import glob
import os
import shutil
import subprocess
import tempfile
import time

NOBODY = 65534
POSTGRESQL = (sorted(glob.glob('/usr/lib/postgresql/[0-9]*/bin/'), key=lambda path: float(path.split('/')[4])) or ['/usr/lib/postgresql/bin/'])[-1]


class Server:
    """`pid` is the server's. run() gives it a statement and does not wait; finish() waits until all are answered."""

    programs = ()  # what has to be installed

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='dt-db.', dir='/tmp')
        os.chown(self.folder, NOBODY, NOBODY)
        self.pid, self.client = 0, None

    @classmethod
    def lacks(cls):
        """Of the programs, the first that is not there."""
        return next((program for program in cls.programs if shutil.which(program) is None), None)

    def command(self, *words, **more):
        return subprocess.Popen(words, cwd=self.folder, user=NOBODY, group=NOBODY, extra_groups=[],
                                env={**os.environ, 'HOME': self.folder}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)

    def complete(self, *words):
        """Did it succeed?"""
        return self.command(*words, stdin=subprocess.DEVNULL).wait() == 0

    def connect(self, *words):
        self.client = self.command(*words, stdin=subprocess.PIPE)

    def run(self, statement):
        self.client.stdin.write(statement.encode() + b';\n')
        self.client.stdin.flush()

    def finish(self):
        self.client.stdin.close()
        return self.client.wait(60)

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self):
        raise NotImplementedError


class PostgreSQL(Server):
    programs = tuple(POSTGRESQL + name for name in ('initdb', 'pg_ctl', 'psql'))
    sleep = 'pg_sleep'

    def __init__(self):
        super().__init__()
        self.data = os.path.join(self.folder, 'data')
        options = f'-k {self.folder} -c listen_addresses= -c fsync=off -c autovacuum=off -c max_connections=20 -c shared_buffers=16MB'
        if not self.complete(POSTGRESQL + 'initdb', '-D', self.data, '-A', 'trust', '-U', 'test', '--no-sync') or not self.complete(
                POSTGRESQL + 'pg_ctl', '-D', self.data, '-w', '-s', '-l', os.path.join(self.folder, 'log'), '-o', options, 'start'):
            self.close()
            raise OSError('PostgreSQL does not start')
        with open(os.path.join(self.data, 'postmaster.pid'), encoding='utf-8') as file:
            self.pid = int(file.readline())
        self.connect(POSTGRESQL + 'psql', '-h', self.folder, '-U', 'test', '-qAtX', 'postgres')

    def stop(self):
        self.complete(POSTGRESQL + 'pg_ctl', '-D', self.data, '-s', '-m', 'immediate', 'stop')


class MariaDB(Server):
    programs = ('mariadb-install-db', 'mariadbd', 'mariadb')
    sleep = 'SLEEP'

    def __init__(self):
        super().__init__()
        self.server = None
        data, place = os.path.join(self.folder, 'data'), os.path.join(self.folder, 'socket')
        client = ('mariadb', '--no-defaults', '-u', 'root', '-S', place)
        if self.complete('mariadb-install-db', '--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db',
                         '--basedir=/usr', f'--datadir={data}'):
            self.server = self.command('mariadbd', '--no-defaults', f'--datadir={data}', '--skip-networking', f'--socket={place}',
                                       '--innodb-buffer-pool-size=16M', stdin=subprocess.DEVNULL)
            self.pid = self.server.pid
        while self.server is None or not self.complete(*client, '-e', 'SELECT 1'):
            if self.server is None or self.server.poll() is not None:
                self.close()
                raise OSError('MariaDB does not start')
            time.sleep(0.1)
        self.connect(*client, '--unbuffered')

    def stop(self):
        if self.server is not None:
            self.server.terminate()
            self.server.wait()
