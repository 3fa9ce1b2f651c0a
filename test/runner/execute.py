# SPDX-License-Identifier: Apache-2.0
"""Runs one script to its verdict: may it run, run it within its time, judge what came out."""

import contextlib
import dataclasses
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import judge
from process import Process, executable
from verdict import Kind, Verdict

SKIPPER_TIMEOUT_S = 30
DECLINED = 77
# How long a trigger of `@@trigger-timing: after` waits for the first output of dtrace before it starts anyway.
READY_TIMEOUT_S = 5
# From here on a machine is so slow (it is emulated) that tests of load and of size do with less.
SLOW_FACTOR = 5


@dataclasses.dataclass(frozen=True)
class Setting:
    """What is the same for every script of one run."""

    dtrace: pathlib.Path
    triggers: pathlib.Path
    timeout_factor: float = 1.0
    privileged: bool = True
    sanitized: bool = False  # dtrace is built with sanitizers: slower, and no measure of memory
    regenerate: bool = False
    check_cache: str = ""  # folder of compiled programs that are compiled again, and compared; "": there are none
    may_decline: bool = False  # the command ends with DECLINED where it cannot run a script
    part: str = ""  # "2/3": of scripts with @@parts every third section, from the second on; "": all


def newest_postgresql():
    """The folder of its programs; one that is not there, if it is not installed."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("[0-9]*/bin"), key=lambda path: float(path.parent.name))
    return str(found[-1] if found else "/usr/lib/postgresql/bin")


# The system's own interpreters, whatever their version is. The file, because it has the probes and names the module.
SOFTWARE = {"system_python": os.path.realpath("/usr/bin/python3"), "system_php": os.path.realpath("/usr/bin/php"),
            "system_ruby": os.path.realpath("/usr/bin/ruby"), "postgres_bin": newest_postgresql()}


class Skip(Exception):
    """The script cannot run here; the text is the reason."""


def environment(test, setting, scratch):
    """A script sees the command under test, and nothing of the settings of who runs the tests."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DTRACE_", "_DTRACE_", "LC_"))}
    env.update(LC_ALL="C", TZ="UTC", dtrace=str(setting.dtrace), tmpdir=str(scratch), triggers=str(setting.triggers),
               dt_flags=" ".join(tag_options(test) + test.options.runtest_opts),
               slow="1" if setting.timeout_factor >= SLOW_FACTOR else "", part=part_of(test, setting),
               sanitized="1" if setting.sanitized else "")
    env.update(SOFTWARE)
    # What an earlier run has left should make no difference to a test.
    env.update({"DTRACE_OPT_CACHE": "check", "DTRACE_OPT_CACHEDIR": setting.check_cache} if setting.check_cache else
               {"DTRACE_OPT_CACHE": "off"})
    return env


def part_of(test, setting):
    return setting.part if test.options.parts else ""


def tag_options(test):
    return {"err": ["-xerrtags"], "drp": ["-xdroptags"]}.get(test.kind, [])


def trigger_command(test, setting):
    if not test.options.trigger:
        return []
    program = setting.triggers / test.options.trigger[0]
    if not os.access(program, os.X_OK):
        found = shutil.which(test.options.trigger[0])
        if not found:
            raise Skip(f"trigger {test.options.trigger[0]} is not built")
        program = pathlib.Path(found)
    return [str(program)] + test.options.trigger[1:]


def dtrace_command(test, setting, trigger, trigger_pid):
    if test.language == "sh":
        return ["bash", test.path.name, str(setting.dtrace)]
    if test.phase:
        return [str(setting.dtrace), f"--stop-after={test.phase}", "--dump", *tag_options(test),
                *test.options.runtest_opts, "-s", test.path.name]
    options = [option.replace("$_pid", str(trigger_pid)) for option in test.options.runtest_opts]
    command = [str(setting.dtrace), *tag_options(test)]
    if trigger and not test.options.trigger_timing:
        command += ["-c", " ".join(trigger)]
    # Operands of the script may be among the options, so they go last.
    return command + ["-s", test.path.name] + options


def expects_failure(test, setting, env):
    """Asks `@@skip`, `@@xfail` and the .x neighbour. Returns the reason of an expected failure, "" if none is."""
    if test.options.skip:
        raise Skip(test.options.skip)
    skipper = test.beside(".x")
    if skipper:
        try:
            answer = subprocess.run(executable(skipper), env=env, cwd=test.path.parent, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    timeout=SKIPPER_TIMEOUT_S * setting.timeout_factor, check=False)
        except subprocess.TimeoutExpired:
            raise Skip(f"{skipper.name} did not answer within {SKIPPER_TIMEOUT_S} s") from None
        said = answer.stdout.decode(errors="replace").strip() or f"{skipper.name} says so"
        if answer.returncode == 2:
            raise Skip(said)
        if answer.returncode == 1:
            return said
        if answer.returncode != 0:
            raise Skip(f"{skipper.name} ended with status {answer.returncode}: {said}")
    return test.options.xfail


def wait_until_ready(process, deadline, setting):
    """Waits for the first output of dtrace (BEGIN printing a word): the sign that it traces."""
    ready = min(deadline, time.monotonic() + READY_TIMEOUT_S * setting.timeout_factor)
    while time.monotonic() < ready and process.is_running() and not process.has_output():
        time.sleep(0.02)


def run_script(test, setting, env, scratch):
    trigger = trigger_command(test, setting)
    timeout_s = test.options.timeout_s * setting.timeout_factor
    deadline = time.monotonic() + timeout_s
    with contextlib.ExitStack() as stack:
        def start(command, name, cwd):
            return stack.enter_context(Process(command, env, cwd, pathlib.Path(scratch), name))

        trigger_pid = 0
        if test.options.trigger_timing == "before":
            trigger_pid = start(trigger, "trigger", scratch).pid
        process = start(dtrace_command(test, setting, trigger, trigger_pid), "script", test.path.parent)
        if test.options.trigger_timing == "after":
            wait_until_ready(process, deadline, setting)
            start(trigger, "trigger", scratch)
        return process.finish(deadline, timeout_s)


def may_run(test, setting):
    return setting.privileged or test.phase or "unprivileged" in test.options.tags


def run_test(test, setting):
    """None: the command declined."""
    started = time.monotonic()

    def verdict(kind, reason="", detail=""):
        return Verdict(kind, test.name, reason, detail, time.monotonic() - started)

    with tempfile.TemporaryDirectory(prefix="dtrace-test.", ignore_cleanup_errors=True) as scratch:
        outcome_folder = pathlib.Path(scratch)
        script_folder = outcome_folder / "tmp"
        script_folder.mkdir()
        env = environment(test, setting, script_folder)
        try:
            expected_failure = expects_failure(test, setting, env)
            if not may_run(test, setting):
                raise Skip("needs root, or CAP_BPF and CAP_PERFMON")
            outcome = run_script(test, setting, env, outcome_folder)
        except Skip as skip:
            return verdict(Kind.SKIP, str(skip))
        if setting.may_decline and outcome.status == DECLINED:
            return None
        failure = judge.judge(test, outcome, env, setting.regenerate)

    if expected_failure:
        if failure:
            return verdict(Kind.SKIP, f"expected failure: {expected_failure} ({failure.reason})", failure.detail)
        return verdict(Kind.FAIL, f"passes, though it was expected to fail: {expected_failure}")
    if failure:
        return verdict(Kind.FAIL, failure.reason, failure.detail)
    return verdict(Kind.PASS, detail=judge.transcript(outcome))
