# SPDX-License-Identifier: Apache-2.0
"""Programs come and go, each of a file of its own, while their stacks are named: dtrace stays as large as it is."""
import os
import shutil
import subprocess
import sys

DTRACE = sys.argv[1]
tmpdir = os.environ["tmpdir"]
PROGRAMS = 6500         # more than are remembered
WARM = 5000
MAX_GROWTH_KIB = 8 << 10  # a program that is kept takes some 20
MAX_FILES = 192  # 128 are held for names; the others are being looked at

original = shutil.which("true")
tracer = subprocess.Popen(
    [DTRACE, "-qn", "BEGIN { printf(\"ready\\n\"); } syscall::exit_group:entry /ppid == $1/ { ustack(4); } "
     "syscall::sched_get_priority_max:entry /pid == $1/ { exit(0); }", str(os.getpid())], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
tracer.stdout.readline()
reader = subprocess.Popen(["sh", "-c", "grep -c '`'"], stdin=tracer.stdout, stdout=subprocess.PIPE)


def resident_kib():
    with open("/proc/%d/status" % tracer.pid) as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def open_files():
    count = 0
    for fd in os.listdir("/proc/%d/fd" % tracer.pid):
        try:
            count += os.readlink("/proc/%d/fd/%s" % (tracer.pid, fd)).startswith(tmpdir)
        except FileNotFoundError:
            pass  # closed meanwhile
    return count


def run_programs(first, last):
    most = 0
    for number in range(first, last):
        path = os.path.join(tmpdir, "program%d" % number)
        shutil.copy(original, path)
        os.waitpid(os.posix_spawn(path, [path], {}), 0)
        os.unlink(path)
        if number % 100 == 0:
            most = max(most, open_files())
    return most


most = run_programs(0, WARM)
warm = resident_kib()
most = max(most, run_programs(WARM, PROGRAMS))
growth = resident_kib() - warm
os.sched_get_priority_max(os.SCHED_OTHER)
status = tracer.wait()
named = int(reader.communicate()[0])
problems = []
if status != 0:
    problems.append("status %d" % status)
if growth > MAX_GROWTH_KIB:
    problems.append("grew by %d KiB, from %d" % (growth, warm))
if most > MAX_FILES:
    problems.append("%d files of programs are open" % most)
if named < PROGRAMS // 2:  # under load many are gone before their files are seen; the memory of the others is measured
    problems.append("%d frames named" % named)
print("FAIL " + ", ".join(problems) if problems else "ok: memory and open files stay as they are")
sys.exit(bool(problems))
