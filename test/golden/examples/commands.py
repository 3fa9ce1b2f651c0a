#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every dtrace command that a document shows, and says which do not run as they stand.

usage: commands.py DTRACE DOCUMENT...

A command is an indented line of Markdown, or a line of a literal display of a manual page, that begins with "# "; it goes
on over the next lines until the shell has a whole command. `# cat FILE` shows a file, and makes it here. A command that runs
until Ctrl-C gets an interrupt after a while. What dtrace says on stderr must be notices, unless the document shows just that.
Where the machine is slow ($slow) one command in three runs, another one on each kernel.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

# What goes on meanwhile, so that every command has something to see.
ACTIVITY = """while :; do
  ls / /does/not/exist; cat /etc/services; (exec 3<>/dev/tcp/127.0.0.1/9); echo >/dev/udp/127.0.0.1/9
  dd if=/dev/zero of=activity bs=64k count=1 oflag=direct; sleep 0.02 & kill -CONT $!; wait
done >activity.out 2>&1"""

ONE_IN = 3 if os.environ.get("slow") else 1
WHICH = int(os.uname().release.split(".")[1]) % ONE_IN

# A command that has printed nothing in the first time gets the second: it may be one that prints every second.
RUNS_FOR_S = (0.3, 3.0)
POLL = ("7", "73", "271")  # x86-64 poll; ppoll there and elsewhere
ARMED_WITHIN_S = 20
ENDS_WITHIN_S = 30

NOTICE = re.compile(r"dtrace: ((description|script) '.*' matched [0-9]+ probes?|pid [0-9]+ has exited"
                    r"|pid [0-9]+ terminated by SIG[A-Z]+|allowing destructive actions"
                    r"|pid\*:.* cannot be set in ([0-9]+ processes|process [0-9]+( \(.*\))?): Permission denied)$")


def roff_text(line):
    for escape, text in (("\\(aq", "'"), ("\\-", "-"), ("\\&", ""), ("\\e", "\\")):
        line = line.replace(escape, text)
    return line


def displays(path):
    """Lists of lines: the code of a document, block by block."""
    block = []
    inside = False
    for line in path.read_text(encoding="utf-8").splitlines() + [""]:
        if path.suffix == ".8":
            if line.startswith(".Bd -literal"):
                inside, block = True, []
            elif line.startswith(".Ed"):
                inside = False
                yield block
            elif inside:
                block.append(roff_text(line))
        elif line.startswith("    "):
            block.append(line[4:])
        elif line.strip():
            if block:
                yield block
            block = []
        elif block:
            block.append("")
    if block and path.suffix != ".8":
        yield block


def is_whole(text):
    check = subprocess.run(["bash", "-n", "-c", text], stderr=subprocess.PIPE, check=False)
    return not check.stderr and not text.endswith("\\")


def commands(block):
    """Pairs of a command and the lines that the document shows after it."""
    found = []
    lines = iter(block)
    for line in lines:
        if not line.startswith("# "):
            if found:
                found[-1][1].append(line)
            continue
        text = line[2:]
        while not is_whole(text):
            more = next(lines, None)
            if more is None:
                break
            text += "\n" + more
        found.append((text, []))
    return found


def without_numbers(text):
    return re.sub(r"0x[0-9a-f]+|[0-9]+", "N", text.strip())


def is_armed(process, command, started):
    """Whether its probes fire: then it waits in poll() and catches the interrupt."""
    try:
        status = open(f"/proc/{process.pid}/status").read()
        inside = open(f"/proc/{process.pid}/syscall").read()
    except OSError:
        return False
    if status.startswith("Name:\tdtrace"):
        catches = int(re.search(r"SigCgt:\s*([0-9a-f]+)", status)[1], 16) >> (signal.SIGINT - 1) & 1 == 1
        return catches and inside.split()[0] in POLL
    # A shell still stands before it; then what it says must do.
    now = time.monotonic()
    return ("matched" in open("stderr").read() or now > started + ARMED_WITHIN_S or
            (re.search(r"dtrace \S*q", command) and now > started + 1))


def run(command, environment, runs_for_s):
    """Exit status, stdout, stderr of a command that is interrupted once it has traced for a while."""
    process = subprocess.Popen(["bash", "-c", command], env=environment, start_new_session=True, text=True,
                               stdin=subprocess.DEVNULL, stdout=open("stdout", "w"), stderr=open("stderr", "w"))
    started = time.monotonic()
    armed = None
    while process.poll() is None:
        now = time.monotonic()
        if armed is None and is_armed(process, command, started):
            armed = now
        if armed is not None and now > armed + runs_for_s:
            os.killpg(process.pid, signal.SIGINT)
            break
        time.sleep(0.05)
    try:
        process.wait(ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return process.returncode, open("stdout").read(), open("stderr").read()


def check(command, shown, environment):
    """What is wrong, or nothing."""
    expects_failure = any(line.startswith("dtrace: ") and not NOTICE.match(line) for line in shown)
    shown = {without_numbers(line) for line in shown}
    prints = not expects_failure and not command.startswith("dtrace -h ") and " -o " not in command
    for runs_for_s in RUNS_FOR_S:
        status, out, err = run(command, environment, runs_for_s)
        if out.strip() or not prints:
            break
    said = [line for line in err.splitlines() if line.startswith("dtrace: ")]
    unexpected = [line for line in said if not NOTICE.match(line) and without_numbers(line) not in shown]
    if unexpected:
        return "\n".join(unexpected)
    if status != 0 and not expects_failure:
        return f"exit status {status}"
    if prints and not out.strip():
        return "it printed nothing"
    return ""


def check_documents(documents, environment):
    for document in map(pathlib.Path, documents):
        number = ran = wrong = 0
        for block in displays(document):
            for command, shown in commands(block):
                if command.startswith("cat ") and shown:
                    text = "\n".join(shown).rstrip() + "\n"
                    pathlib.Path(command.split()[1]).write_text(text)
                    continue
                if command.startswith(("chmod ", "g++ ")):
                    subprocess.run(["bash", "-c", command], check=True)
                    continue
                if not re.match(r"(dtrace|\./)", command):
                    continue
                number += 1
                if number % ONE_IN != WHICH:
                    continue
                ran += 1
                complaint = check(command, shown, environment)
                if complaint:
                    wrong += 1
                    print(f"{document.name}: {command}\n{complaint}")
        print(f"{document.name}: {'all' if ran and not wrong else ran - wrong} commands run")


def main(dtrace, *documents):
    os.makedirs("bin", exist_ok=True)
    link = pathlib.Path("bin/dtrace")
    link.symlink_to(dtrace)
    environment = dict(os.environ, PATH=f"{link.parent.absolute()}:{os.environ['PATH']}")
    activity = subprocess.Popen(["bash", "-c", ACTIVITY], start_new_session=True, stdin=subprocess.DEVNULL)
    try:
        check_documents(documents, environment)
    finally:
        os.killpg(activity.pid, signal.SIGKILL)
        activity.wait()


main(*sys.argv[1:])
