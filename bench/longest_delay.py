#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""longest_delay.py DTRACE [-n MOST] [-p PROBES] [--kill]: how long probes of all kernel functions keep a CPU from tasks.

On each CPU a task of the highest priority sleeps for 10 ms, over and over. By how much it wakes late is how long the CPU
was not rescheduled. For 1 to MOST dtrace side by side it prints how long they take to arm and to end, and the longest
such delay of each CPU meanwhile. --kill ends them by SIGKILL. As root, in a virtual machine: see README.md.
"""
import argparse
import mmap
import os
import signal
import subprocess
import time

NAP = 0.01
CPUS = sorted(os.sched_getaffinity(0))
SECONDS = "d"


class Watch:
    """The tasks, and the longest delay of each, in shared memory."""

    def __init__(self):
        self.longest = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast(SECONDS)
        self.tasks = [self.start(slot, cpu) for slot, cpu in enumerate(CPUS)]

    def start(self, slot, cpu):
        task = os.fork()
        if task != 0:
            return task
        os.sched_setaffinity(0, {cpu})
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(os.sched_get_priority_max(os.SCHED_FIFO)))
        while True:
            begin = time.monotonic()
            time.sleep(NAP)
            self.longest[slot] = max(self.longest[slot], time.monotonic() - begin - NAP)

    def report(self, what, since):
        delays = " ".join(f"{self.longest[slot]:7.3f}" for slot in range(len(CPUS)))
        print(f"{what:24} {time.monotonic() - since:7.1f} s, longest delay of each CPU {delays} s", flush=True)
        for slot in range(len(CPUS)):
            self.longest[slot] = 0

    def end(self):
        for task in self.tasks:
            os.kill(task, signal.SIGKILL)
            os.waitpid(task, 0)


def measure(watch, options, count):
    program = options.probes + ' { @ = count(); } BEGIN { printf("armed\\n"); }'
    begin = time.monotonic()
    tracers = [subprocess.Popen([options.dtrace, "-qn", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                bufsize=0) for _ in range(count)]
    for number, tracer in enumerate(tracers, 1):
        if tracer.stdout.readline() != b"armed\n":
            raise SystemExit("dtrace did not start: run it by hand to see why")
        watch.report(f"{count} dtrace, armed {number}", begin)
    begin = time.monotonic()
    for tracer in tracers:
        tracer.send_signal(signal.SIGKILL if options.kill else signal.SIGINT)
    for tracer in tracers:
        tracer.wait()
    watch.report(f"{count} dtrace, ended", begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dtrace")
    parser.add_argument("-n", type=int, default=2, dest="most")
    parser.add_argument("-p", default="fbt:::entry, fbt:::return", dest="probes")
    parser.add_argument("--kill", action="store_true")
    options = parser.parse_args()
    watch = Watch()
    try:
        for count in range(1, options.most + 1):
            measure(watch, options, count)
    finally:
        watch.end()
    subprocess.run("dmesg | grep -E 'soft lockup|detected stall'", shell=True, check=False)


if __name__ == "__main__":
    main()
