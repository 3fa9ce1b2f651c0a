# SPDX-License-Identifier: Apache-2.0
"""Programs of the distribution, and a job for each that does the same each time. A row each.

A job is small, because it makes some microseconds of each call of a function. It should come to what return probes may break:
errors that are caught, coroutines, signals, plug-ins, children. Its input is made once by `setup`, in a shell."""

import dataclasses
import glob
import pathlib
import shlex
import shutil

JOBS = pathlib.Path(__file__).resolve().parent / 'jobs'


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    package: str
    command: str  # {jobs} is the folder `jobs`; no shell sees it
    setup: str = ''
    stdin: str = ''
    env: tuple = ()  # pairs
    hide: tuple = ()  # patterns of text that is other each time
    ignore: tuple = ()  # files that are other each time, as globs
    options: tuple = ()  # dtrace's
    needs: str = ''  # a file of the package, where the program is there without it
    short: bool = False  # part of ./check
    timeout_s: int = 900

    def words(self):
        return [word.format(jobs=JOBS) for word in shlex.split(self.command)]

    def program(self):
        """Its path; nothing: the package is not installed."""
        if self.needs and not pathlib.Path(self.needs).exists():
            return None
        return shutil.which(self.words()[0], path='/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin')


def first(pattern):
    """A program that is in no folder of PATH; the pattern itself if there is none."""
    return (sorted(glob.glob(pattern)) or [pattern])[0]


NUMBERS = 'seq 2000 >numbers'
TREE = 'mkdir -p tree/a/b tree/c && seq 200 >tree/a/numbers && echo text >tree/a/b/text && ln -s ../a/numbers tree/c/link'
C_SOURCE = r'''cat >t.c <<'C'
#include <stdio.h>
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
int main(void) { for (int i = 1; i < 9; i++) printf("%d %d\n", i, gcd(i * 84, 360)); return 0; }
C
'''
GIT = (('GIT_AUTHOR_NAME', 'A'), ('GIT_AUTHOR_EMAIL', 'a@example.org'), ('GIT_COMMITTER_NAME', 'A'),
       ('GIT_COMMITTER_EMAIL', 'a@example.org'), ('GIT_AUTHOR_DATE', '1000000000 +0000'),
       ('GIT_COMMITTER_DATE', '1000000000 +0000'), ('GIT_CONFIG_NOSYSTEM', '1'))
GIT_SETUP = 'git -c init.defaultBranch=main init -q . && git config gc.auto 0 && seq 99 >a && seq 50 >b && git add a'
COMPILER = first('/usr/lib/gcc/*/*/cc1')

TABLE = (
    # Compressors and archivers
    Job('gzip', 'gzip', 'gzip -9kn numbers', NUMBERS, short=True),
    Job('gunzip', 'gzip', 'gzip -dk numbers.gz', 'seq 2000 | gzip -n >numbers.gz'),
    Job('bzip2', 'bzip2', 'bzip2 -k numbers', NUMBERS),
    Job('xz', 'xz-utils', 'xz -T1 -k numbers', NUMBERS, short=True),
    Job('xz, threads', 'xz-utils', 'xz -T2 --block-size=4096 -k numbers', NUMBERS),
    Job('zstd', 'zstd', 'zstd -q -T1 -k numbers', NUMBERS),
    Job('tar', 'tar', 'tar --sort=name --mtime=@0 --owner=0 --group=0 -cvf tree.tar tree', TREE),
    Job('tar, piped', 'tar', 'tar --sort=name --mtime=@0 --owner=0 --group=0 -czf tree.tar.gz tree', TREE),
    # Shells
    Job('bash', 'bash', 'bash {jobs}/shell.bash', short=True),
    Job('dash', 'dash', 'dash {jobs}/shell.sh', short=True),
    Job('zsh', 'zsh', 'zsh -f {jobs}/shell.sh'),
    Job('mksh', 'mksh', 'mksh {jobs}/shell.sh'),
    # Text
    Job('sed', 'sed', "sed -nE -e 's/^([0-9])([0-9]*)$/\\2\\1/' -e '/7/w sevens' -e '$p' numbers", NUMBERS, short=True),
    Job('grep', 'grep', 'grep -nE (1|22)+$ numbers', NUMBERS),
    Job('grep -P', 'grep', "grep -cP '(\\d)\\1(?=3)' numbers", NUMBERS),
    Job('sort', 'coreutils', 'sort -r --parallel=2 -S 64k numbers', NUMBERS, short=True),
    Job('mawk', 'mawk', 'mawk -f {jobs}/words.awk numbers', NUMBERS, short=True),
    Job('gawk', 'gawk', 'gawk -f {jobs}/words.awk numbers', NUMBERS),
    Job('find', 'findutils', 'find tree -type f -newermt @0 -size -9k -print -exec cksum {{}} ;', TREE),
    Job('diff', 'diffutils', 'diff -u a b', 'seq 200 >a; seq 3 2 250 >b', hide=(r'\t\d{4}-.*',)),
    Job('m4', 'm4', 'm4 {jobs}/loop.m4'),
    Job('ed', 'ed', 'ed -s numbers', NUMBERS, stdin='g/99/s/9/x/g\n1,5p\n/x0/;+3p\nw\nQ\n'),
    Job('vim', 'vim', 'vim -u NONE -i NONE -n -es -S {jobs}/edit.vim numbers', NUMBERS),
    Job('jq', 'jq', 'jq -c -f {jobs}/query.jq', stdin='{"a": [3, 1, {"b": "x"}], "c": null}\n'),
    Job('xmllint', 'libxml2-utils', 'xmllint --xpath //b[@n>2]/text() t.xml',
        'for i in 1 2 3 4 5; do echo "<b n=\'$i\'>t$i</b>"; done | sed "1i<a>" >t.xml; echo "</a>" >>t.xml'),
    Job('iconv', 'libc-bin', 'iconv -f UTF-8 -t ISO-2022-JP-3 t', 'printf "\\343\\203\\206\\343\\202\\271\\n" >t'),
    Job('getent', 'libc-bin', 'getent passwd root nobody'),
    Job('bc', 'bc', 'bc -lq {jobs}/sums.bc'),
    Job('dc', 'dc', "dc -e '40k 2v p [lz 1+ d sz p lz 9>x] sx 0 sz lxx 2 100^ p'"),
    # Files and keys
    Job('file', 'file', 'file -b /bin/ls numbers', NUMBERS),
    Job('curl', 'curl', 'curl -sSI file:///proc/self/cwd/numbers -o copy', NUMBERS, ignore=('copy',)),
    Job('curl, a copy', 'curl', 'curl -sS file:///proc/self/cwd/numbers -o copy', NUMBERS),
    Job('ssh-keygen', 'openssh-client', 'ssh-keygen -y -f key', 'ssh-keygen -q -t rsa -b 2048 -N "" -f key'),
    Job('ssh-keygen, a signature', 'openssh-client', 'ssh-keygen -q -Y sign -n test -f key numbers',
        NUMBERS + ' && ssh-keygen -q -t ed25519 -N "" -f key'),
    Job('openssl, a signature', 'openssl', 'openssl dgst -sha256 -sign key -out signature numbers',
        NUMBERS + ' && openssl genrsa -out key 2048 2>/dev/null'),
    Job('openssl, a cipher', 'openssl', 'openssl enc -aes-256-cbc -pbkdf2 -iter 100 -S 0011223344556677 -pass pass:x -in numbers -out sealed',
        NUMBERS),
    Job('git commit', 'git', 'git commit -q -m first', GIT_SETUP, env=GIT, ignore=('.git/index',)),
    Job('git log', 'git', 'git --no-pager log -p --stat', GIT_SETUP + ' && git commit -q -m first', env=GIT),
    Job('git grep', 'git', 'git --no-pager grep -n 7', GIT_SETUP, env=GIT, short=True),
    Job('sqlite3', 'sqlite3', 'sqlite3 t.db', stdin=(JOBS / 'tables.sql').read_text()),
    # Compilers and what they need
    Job('gcc', 'gcc', 'gcc -O2 -o t t.c', C_SOURCE),
    Job('cc1', 'gcc', COMPILER + ' -quiet -O1 -o t.s t.i', C_SOURCE + 'gcc -E t.c -o t.i'),
    Job('as', 'binutils', 'as -o t.o t.s', C_SOURCE + 'gcc -S t.c'),
    Job('ld', 'binutils', 'ld -r -o all.o t.o t.o2', C_SOURCE + 'gcc -c t.c && echo "int x;" | gcc -c -x c - -o t.o2'),
    Job('objdump', 'binutils', 'objdump -dr t.o', C_SOURCE + 'gcc -c t.c'),
    Job('make', 'make', 'make -j2 -f {jobs}/rules.mk', short=True),
    Job('cmake', 'cmake', 'cmake -P {jobs}/list.cmake'),
    Job('gdb', 'gdb', "gdb -nx -batch -ex 'python print(sum(range(9)))' -ex 'info line main' t", C_SOURCE + 'gcc -g -o t t.c'),
    # Languages
    Job('lua', 'lua5.4', 'lua5.4 {jobs}/errors.lua', short=True),
    Job('luajit', 'luajit', 'luajit {jobs}/errors.lua'),
    Job('perl', 'perl', 'perl {jobs}/errors.pl', short=True),
    Job('python', 'python3.11-minimal', '/usr/bin/python3.11 -E -S -B {jobs}/errors.py'),
    Job('php', 'php8.2-cli', 'php8.2 -n {jobs}/errors.php'),
    Job('ruby', 'ruby3.1', 'ruby3.1 --disable=gems {jobs}/errors.rb'),
    Job('tclsh', 'tcl8.6', 'tclsh8.6 {jobs}/errors.tcl'),
    Job('node', 'nodejs', 'node --jitless {jobs}/errors.js'),
    Job('java', 'openjdk-17-jre-headless', 'java -Xint -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp . Errors', 'javac -d . ' + str(JOBS / 'Errors.java')),
    # Their own tests
    *(Job(f'python, {name}', 'libpython3.11-testsuite', f'/usr/bin/python3.11 -E -B -m unittest -q test.{name}',
          hide=(r'in [0-9.]+s', ), needs=f'/usr/lib/python3.11/test/{name}.py') for name in ('test_generators', 'test_raise', 'test_contextlib', 'test_struct')),
)
