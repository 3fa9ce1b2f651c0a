#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runner of golden scripts, tested with a stand-in for dtrace."""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import capabilities
import case
import execute
import golden
import locks
import options
import verdict
from verdict import Kind

FAKE = pathlib.Path(__file__).with_name("fake_dtrace.sh").resolve()


class Folder(unittest.TestCase):
    """A topic folder in which a test writes its scripts."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.topic = self.root / "topic"
        self.topic.mkdir()
        self.triggers = self.root / "triggers"
        self.triggers.mkdir()

    def write(self, name, text, mode=0o644, folder=None):
        path = (folder or self.topic) / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def run_one(self, path, **setting):
        setting = execute.Setting(dtrace=FAKE, triggers=self.triggers, **setting)
        return execute.run_test(case.load(path), setting)

    def assert_kind(self, kind, path, reason="", **setting):
        got = self.run_one(path, **setting)
        self.assertEqual(got.kind, kind, f"{got.reason}\n{got.detail}")
        self.assertIn(reason, got.reason)
        return got


class Names(Folder):
    def test_tag_is_the_first_upper_case_part(self):
        test = case.load(self.write("err.D_PROTO_LEN.strjoin_one_arg.d", ""))
        self.assertEqual((test.kind, test.tag, test.name),
                         ("err", "D_PROTO_LEN", "topic/err.D_PROTO_LEN.strjoin_one_arg.d"))
        self.assertEqual(test.expected_status, 1)

    def test_name_without_tag(self):
        test = case.load(self.write("tst.sum_signed.sh", ""))
        self.assertEqual((test.kind, test.tag, test.language, test.expected_status), ("tst", "", "sh", 0))

    def test_other_names_are_refused(self):
        with self.assertRaises(case.BadTest):
            case.load(self.write("sum.d", ""))

    def test_folder_is_searched_and_sorted(self):
        for name in ("tst.b.d", "tst.a.sh", "tst.a.r", "helper.sh", "err.D_X.c.d"):
            self.write(name, "")
        found = [test.path.name for test in case.discover([self.topic])]
        self.assertEqual(found, ["err.D_X.c.d", "tst.a.sh", "tst.b.d"])


class OptionText(unittest.TestCase):
    def test_several_on_a_line_and_end_of_comment(self):
        got = options.parse("/* ASSERTION: x\n * SECTION: Aggregations   @@timeout: 5 @@sort */\nBEGIN {}")
        self.assertEqual((got.timeout_s, got.sort), (5.0, True))

    def test_shell_comment(self):
        got = options.parse("#!/bin/sh\n# @@skip: needs a moon\n# @@tags: slow, root\necho @@xfail\n")
        self.assertEqual((got.skip, got.tags, got.xfail), ("needs a moon", {"slow", "root"}, ""))

    def test_trigger_and_options(self):
        got = options.parse("/* @@trigger: calls 3 'two words' */\n/* @@runtest-opts: -q $_pid */\n"
                            "/* @@trigger-timing: before */\n")
        self.assertEqual(got.trigger, ["calls", "3", "two words"])
        self.assertEqual((got.runtest_opts, got.trigger_timing), (["-q", "$_pid"], "before"))

    def test_unknown_is_ignored_and_body_is_not_read(self):
        got = options.parse("/* @@nosort @@note: y */\nBEGIN { @@timeout: 3 }\n")
        self.assertEqual(got.timeout_s, options.DEFAULT_TIMEOUT_S)

    def test_bad_value(self):
        with self.assertRaises(options.BadOption):
            options.parse("/* @@timeout: soon */")

    def test_locks(self):
        got = options.parse("/* @@lock: brd, loop @@lock: module.dummy */")
        self.assertEqual(got.locks, {"brd", "loop", "module.dummy"})
        with self.assertRaises(options.BadOption):
            options.parse("/* @@lock: ../x */")


class Comparison(Folder):
    def test_equal(self):
        path = self.write("tst.x.d", "echo one\n")
        self.write("tst.x.r", "one\n")
        self.assert_kind(Kind.PASS, path)

    def test_different_by_one_blank(self):
        path = self.write("tst.x.d", "echo 'one '\n")
        self.write("tst.x.r", "one\n")
        got = self.assert_kind(Kind.FAIL, path, "output differs from tst.x.r")
        self.assertIn("+one ", got.detail)

    def test_missing_newline_counts(self):
        path = self.write("tst.x.d", "printf one\n")
        self.write("tst.x.r", "one\n")
        self.assert_kind(Kind.FAIL, path, "output differs")

    def test_one_for_the_processor_goes_first(self):
        path = self.write("tst.x.sh", "echo one\n")
        self.write("tst.x.r", "two\n")
        self.write("tst.x.r.other", "three\n")
        self.assert_kind(Kind.FAIL, path, "output differs from tst.x.r")
        self.write(f"tst.x.r.{os.uname().machine}", "one\n")
        self.assert_kind(Kind.PASS, path)

    def test_without_r_only_the_status_counts(self):
        self.assert_kind(Kind.PASS, self.write("tst.x.d", "echo anything\n"))
        self.assert_kind(Kind.FAIL, self.write("tst.y.d", "exit 3\n"), "exit status 3, expected 0")

    def test_status_option(self):
        self.assert_kind(Kind.PASS, self.write("tst.x.d", "/* @@status: 3 */\nexit 3\n"))

    def test_stderr_part(self):
        path = self.write("tst.x.d", "printf one; echo two >&2\n")
        self.write("tst.x.r", "one\n-- @@stderr --\ntwo\n")
        self.assert_kind(Kind.PASS, path)

    def test_stderr_part_differs(self):
        path = self.write("tst.x.d", "echo two >&2\n")
        self.write("tst.x.r", "-- @@stderr --\nthree\n")
        self.assert_kind(Kind.FAIL, path, "output differs")

    def test_stderr_without_part_fails(self):
        path = self.write("tst.x.d", "echo one; echo 'dtrace: 3 drops on CPU 0' >&2\n")
        self.write("tst.x.r", "one\n")
        self.assert_kind(Kind.FAIL, path, "something on stderr")

    def test_notices_need_no_part(self):
        path = self.write("tst.x.d", "echo one; echo \"dtrace: script 'tst.x.d' matched 1 probe\" >&2\n")
        self.write("tst.x.r", "one\n")
        self.assert_kind(Kind.PASS, path)

    def test_filter(self):
        path = self.write("tst.x.d", "echo pid 1234\n")
        self.write("tst.x.r", "pid PID\n")
        self.write("tst.x.r.p", "#!/bin/sh\nexec sed 's/[0-9][0-9]*/PID/'\n", 0o755)
        self.assert_kind(Kind.PASS, path)

    def test_filter_that_fails(self):
        path = self.write("tst.x.d", "echo one\n")
        self.write("tst.x.r", "one\n")
        self.write("tst.x.r.p", "#!/bin/sh\nexit 4\n", 0o755)
        self.assert_kind(Kind.FAIL, path, "tst.x.r.p: exit status 4")

    def test_sort(self):
        path = self.write("tst.x.d", "/* @@sort */\necho b; echo a\n")
        self.write("tst.x.r", "a\nb\n")
        self.assert_kind(Kind.PASS, path)

    def test_regenerate_writes_and_fails(self):
        path = self.write("tst.x.d", "echo new\n")
        written = self.write("tst.x.r", "old\n")
        self.assert_kind(Kind.FAIL, path, "written anew", regenerate=True)
        self.assertEqual(written.read_text(), "new\n")
        self.assert_kind(Kind.PASS, path, regenerate=True)

    def test_sanitizer_report_is_never_expected(self):
        path = self.write("err.D_X.y.d", "echo '[D_X] SUMMARY: AddressSanitizer: heap' >&2; exit 1\n")
        self.assert_kind(Kind.FAIL, path, "a sanitizer reported")


class Ranges(Folder):
    """ranges.sh: a number in its range becomes the range, and any other one stays visible beside it."""

    def ranged(self, text, *rules):
        script = f". {FAKE.with_name('ranges.sh')}; ranges \"$@\""
        return subprocess.run(["bash", "-c", script, "bash", *rules], input=text, capture_output=True, text=True, check=True).stdout

    def test_in_the_range(self):
        self.assertEqual(self.ranged("naps 20\nlate -3 of 7.5\n", "naps 20..", "late ..0", "of 7..8"),
                         "naps 20..\nlate ..0 of 7..8\n")

    def test_outside(self):
        self.assertEqual(self.ranged("naps 19 late 31", "naps 20..", "late 1..30"), "naps 19, not 20.. late 31, not 1..30\n")

    def test_whole_words_with_a_number_only(self):
        text = "kidnaps 20\nnaps many\nnaps\nnaps 20ms\nboth naps 20\n"
        self.assertEqual(self.ranged(text, "naps 20.."), text.replace("both naps 20", "both naps 20.."))

    def test_each_line(self):
        self.assertEqual(self.ranged("cpu 0 ticks 5\ncpu 1 ticks 50\n", "ticks 40..60"),
                         "cpu 0 ticks 5, not 40..60\ncpu 1 ticks 40..60\n")

    def test_a_rule_without_range_is_a_mistake(self):
        for rule in ("naps", "naps 20", "20..", "naps a..b", "naps .."):
            with self.assertRaises(subprocess.CalledProcessError):
                self.ranged("naps 20\n", rule)

    def test_a_failed_script_stays_one(self):
        path = self.write("tst.x.sh", f". {FAKE.with_name('ranges.sh')}\nset -o pipefail\n(echo naps 3; exit 4) | ranges 'naps 1..'\n")
        self.assert_kind(Kind.FAIL, path, "exit status 4")


class Errors(Folder):
    def test_tag_and_errtags_option(self):
        path = self.write("err.D_SYNTAX.x.d",
                          "case \" ${arguments[*]} \" in *' -xerrtags '*) echo '[D_SYNTAX] no' >&2;; esac; exit 1\n")
        self.assert_kind(Kind.PASS, path)

    def test_wrong_tag(self):
        path = self.write("err.D_SYNTAX.x.d", "echo '[D_EMPTY] no' >&2; exit 1\n")
        self.assert_kind(Kind.FAIL, path, "[D_SYNTAX] is not on stderr")

    def test_success_is_wrong(self):
        path = self.write("err.D_SYNTAX.x.d", "echo '[D_SYNTAX]' >&2\n")
        self.assert_kind(Kind.FAIL, path, "exit status 0, expected 1")

    def test_crash_is_named(self):
        self.assert_kind(Kind.FAIL, self.write("tst.x.d", "kill -SEGV $$\n"), "killed by SIGSEGV")


class Shell(Folder):
    def test_dtrace_by_variable_and_argument(self):
        path = self.write("tst.x.sh", 'echo "$dtrace" "$1"; cd "$tmpdir" && pwd | grep -c dtrace-test\n')
        self.write("tst.x.r", f"{FAKE} {FAKE}\n1\n")
        self.assert_kind(Kind.PASS, path)

    def test_runs_in_its_folder(self):
        path = self.write("tst.x.sh", "ls\n")
        self.write("tst.x.r", "tst.x.r\ntst.x.sh\n")
        self.assert_kind(Kind.PASS, path)


class Timeouts(Folder):
    def test_whole_group_is_killed(self):
        path = self.write("tst.x.d", "/* @@timeout: 0.4 */\necho begun; sleep 60 & echo $! > ../sleeper; sleep 60\n")
        started = time.monotonic()
        got = self.assert_kind(Kind.FAIL, path, "timed out after 0.4 s")
        self.assertLess(time.monotonic() - started, 20)
        self.assertIn("begun", got.detail)
        self.assert_dead(int((self.root / "sleeper").read_text()))

    def test_leftover_child_is_killed(self):
        path = self.write("tst.x.d", "sleep 60 & echo $! > ../sleeper\n")
        self.assert_kind(Kind.PASS, path)
        self.assert_dead(int((self.root / "sleeper").read_text()))

    def assert_dead(self, pid):
        stat = pathlib.Path(f"/proc/{pid}/stat")
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                    return
            except (FileNotFoundError, ProcessLookupError):
                return
            time.sleep(0.02)
        self.fail(f"process {pid} lives")

    def test_factor(self):
        path = self.write("tst.x.d", "/* @@timeout: 0.2 */\nsleep 0.6\n")
        self.assert_kind(Kind.PASS, path, timeout_factor=50)


class Parts(Folder):
    SCRIPT = ("# @@parts\n. " + str(golden.__file__).replace("golden.py", "sections.sh") +
              "\necho head\nfor i in 1 2 3 4 5; do section $i || continue; echo body $i; done\n")

    def test_each_section_is_in_one_part(self):
        path = self.write("tst.x.sh", self.SCRIPT)
        self.write("tst.x.r", "head\n" + "".join(f"== {i}\nbody {i}\n" for i in range(1, 6)))
        for part, own in (("", "12345"), ("1/3", "14"), ("2/3", "25"), ("3/3", "3")):
            got = self.assert_kind(Kind.PASS, path, part=part)
            self.assertEqual([row for row in got.detail.split() if row in "12345"], [i for i in own for _ in range(2)])

    def test_a_section_that_differs_or_is_missing_fails(self):
        path = self.write("tst.x.sh", self.SCRIPT)
        self.write("tst.x.r", "head\n" + "".join(f"== {i}\nbody {i % 4}\n" for i in range(1, 6)))
        self.assert_kind(Kind.PASS, path, part="2/4")
        self.assert_kind(Kind.FAIL, path, part="4/4")
        self.write("tst.x.r", "head\n" + "".join(f"== {i}\nbody {i}\n" for i in range(1, 7)))
        self.assert_kind(Kind.FAIL, path, part="6/6")


class Shared(Folder):
    def test_each_is_run_by_one_of_them(self):
        for name in "abcde":
            self.write(f"tst.{name}.d", "/* @@shared */\nexit 0\n")
        self.write("tst.own.d", "exit 0\n")
        tests = case.discover([self.topic])
        names = [{test.name.rpartition(".")[0][-1:] for test in golden.shares(tests, f"{turn}/3") if test.options.shared}
                 for turn in (1, 2, 3)]
        self.assertEqual(names, [{"a", "d"}, {"b", "e"}, {"c"}])
        self.assertTrue(all(any(test.name.endswith("own.d") for test in golden.shares(tests, f"{turn}/3"))
                            for turn in (1, 2, 3)))
        self.assertEqual(golden.shares(tests, "1/1"), tests)


class Skips(Folder):
    def test_option(self):
        self.assert_kind(Kind.SKIP, self.write("tst.x.d", "/* @@skip: not today */\nexit 1\n"), "not today")

    def test_skipper(self):
        path = self.write("tst.x.d", "exit 0\n")
        skipper = self.write("tst.x.x", "#!/bin/sh\necho no such kernel feature\nexit 2\n", 0o755)
        self.assert_kind(Kind.SKIP, path, "no such kernel feature")
        skipper.write_text("#!/bin/sh\nexit 0\n")
        self.assert_kind(Kind.PASS, path)
        skipper.write_text("#!/bin/sh\necho known\nexit 1\n")
        self.assert_kind(Kind.FAIL, path, "passes, though it was expected to fail: known")

    def test_xfail(self):
        path = self.write("tst.x.d", "/* @@xfail: bug 7 */\nexit 1\n")
        self.assert_kind(Kind.SKIP, path, "expected failure: bug 7 (exit status 1, expected 0)")

    def test_privileges(self):
        path = self.write("tst.x.d", "exit 0\n")
        self.assert_kind(Kind.SKIP, path, "needs root", privileged=False)
        path = self.write("tst.y.d", "/* @@tags: unprivileged */\nexit 0\n")
        self.assert_kind(Kind.PASS, path, privileged=False)

    def test_capabilities(self):
        self.assertEqual(capabilities.effective("Name:\tx\nCapEff:\t000000c000000000\n"), 0xC000000000)
        self.assertTrue(capabilities.may_trace(0xC000000000))
        self.assertTrue(capabilities.may_trace(1 << 21))
        self.assertFalse(capabilities.may_trace(1 << 38))


class Triggers(Folder):
    def trigger(self, text):
        return self.write("prog", "#!/bin/sh\n" + text, 0o755, self.triggers)

    def test_as_target(self):
        program = self.trigger("")
        path = self.write("tst.x.d", "/* @@trigger: prog 1 2 */\necho \"$child\"\n")
        self.write("tst.x.r", f"{program} 1 2\n")
        self.assert_kind(Kind.PASS, path)

    def test_before_gives_its_pid(self):
        self.trigger("exec sleep 60\n")
        path = self.write("tst.x.d", "/* @@trigger: prog */\n/* @@trigger-timing: before */\n"
                          "/* @@runtest-opts: -p $_pid */\n"
                          "[[ \"${arguments[*]}\" =~ -p\\ ([0-9]+) ]] && kill -0 ${BASH_REMATCH[1]} && echo alive\n")
        self.write("tst.x.r", "alive\n")
        self.assert_kind(Kind.PASS, path)

    def test_after_waits_for_output(self):
        mark = self.root / "mark"
        self.trigger(f"echo triggered > {mark}\n")
        path = self.write("tst.x.d", "/* @@trigger: prog */\n/* @@trigger-timing: after */\n"
                          f"sleep 0.3; [ -e {mark} ] && echo early; echo ready\n"
                          f"while [ ! -s {mark} ]; do sleep 0.02; done; cat {mark}\n")
        self.write("tst.x.r", "ready\ntriggered\n")
        self.assert_kind(Kind.PASS, path)

    def test_missing_program_is_a_skip(self):
        path = self.write("tst.x.d", "/* @@trigger: no-such-program-here */\n")
        self.assert_kind(Kind.SKIP, path, "trigger no-such-program-here is not built")


class Phases(Folder):
    def test_folder_names_the_phase(self):
        folder = self.root / "phase" / "parse"
        folder.mkdir(parents=True)
        path = self.write("tst.x.d", "echo \"${arguments[*]}\"\n", folder=folder)
        self.write("tst.x.r", "--stop-after=parse --dump -s tst.x.d\n", folder=folder)
        self.assert_kind(Kind.PASS, path, privileged=False)


class Command(Folder):
    def setUp(self):
        super().setUp()
        settings = unittest.mock.patch.dict(os.environ)
        settings.start()
        self.addCleanup(settings.stop)
        os.environ.pop("DTRACE_VM_ONLY", None)  # `check` may have set it for the tests of dtrace

    def run_main(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            status = golden.main(["--dtrace", str(FAKE), *arguments])
        return status, out.getvalue(), err.getvalue()

    def test_summary_status_and_results(self):
        self.write("tst.a.d", "/* @@tags: unprivileged */\n")
        self.write("tst.b.d", "/* @@tags: unprivileged */\nexit 2\n")
        self.write("tst.c.d", "/* @@skip: because\tof tabs */\n")
        results = self.root / "results"
        status, out, _ = self.run_main("-j2", "--results", str(results), str(self.topic))
        self.assertEqual(status, 1)
        self.assertEqual(out.splitlines()[-1], "1 passed, 1 failed, 1 skipped")
        got = [(each.kind, each.name, each.reason) for each in verdict.read_results(results)]
        self.assertEqual(got, [(Kind.PASS, "topic/tst.a.d", ""),
                               (Kind.FAIL, "topic/tst.b.d", "exit status 2, expected 0"),
                               (Kind.SKIP, "topic/tst.c.d", "because of tabs")])

    def test_run_is_taken_up_where_it_was(self):
        mark = self.root / "mark"
        self.write("tst.a.d", f"/* @@tags: unprivileged */\necho a >>{mark}\n")
        self.write("tst.b.d", f"/* @@tags: unprivileged */\necho b >>{mark}\n")
        results = self.root / "results"
        verdict.part_of(results).write_text("# 6.1\npass\ttopic/tst.a.d\t\n#! died\npass\ttopic/tst.b")
        status, out, _ = self.run_main("--results", str(results), "--resume", str(self.topic))
        self.assertEqual((status, mark.read_text()), (0, "b\n"))
        self.assertEqual(out.splitlines()[-1], "2 passed, 0 failed, 0 skipped")
        self.assertEqual([each.name for each in verdict.read_results(results)], ["topic/tst.a.d", "topic/tst.b.d"])
        self.assertEqual((verdict.read_kernel(results), verdict.read_notes(results)), ("6.1", ["died"]))

    def test_left_out_is_counted(self):
        self.write("tst.a.d", "/* @@tags: unprivileged */\n")
        self.write("tst.b.d", "/* @@tags: unprivileged long */\nexit 2\n")
        results = self.root / "results"
        self.assertEqual(self.run_main("--leave-out", "long", "--results", str(results), str(self.topic))[0], 0)
        self.assertEqual([each.name for each in verdict.read_results(results)], ["topic/tst.a.d"])
        self.assertEqual(verdict.read_number(results, "left_out"), 1)

    def test_what_the_command_declines_is_left_out(self):
        self.write("tst.a.d", "/* @@tags: unprivileged */\n")
        self.write("tst.b.d", "/* @@tags: unprivileged */\nexit 77\n")
        results = self.root / "results"
        status, out, _ = self.run_main("--may-decline", "1", "--again", "--results", str(results), str(self.topic))
        self.assertEqual((status, out.splitlines()[-2:]), (0, ["1 passed, 0 failed, 0 skipped", "1 declined"]))
        self.assertEqual(verdict.read_number(results, "left_out"), 1)
        status, _, err = self.run_main("--may-decline", "2", str(self.topic))
        self.assertEqual((status, err), (1, "golden.py: 2 scripts or more were to pass\n"))
        self.assertEqual(self.run_main(str(self.topic))[0], 1)

    def test_what_a_virtual_machine_runs_is_left_out(self):
        self.write("tst.a.d", "/* @@tags: unprivileged */\n")
        self.write("tst.b.d", "exit 2\n")
        results = self.root / "results"
        here = (unittest.mock.patch.object(capabilities, "can_trace", return_value=False),
                unittest.mock.patch.dict(os.environ, DTRACE_VM_ONLY="1"))
        with here[0], here[1]:
            status, out, _ = self.run_main("--results", str(results), str(self.topic))
            self.assertEqual((status, out.splitlines()[-2:]),
                             (0, ["1 passed, 0 failed, 0 skipped", "1 left to a virtual machine"]))
            self.assertEqual(verdict.read_number(results, "left_out"), 1)
            (self.topic / "tst.a.d").unlink()
            self.assertEqual(self.run_main("--results", str(results), str(self.topic))[0], 0)
        with here[0]:
            self.assertEqual(self.run_main(str(self.topic))[0], 77)

    def own_locks(self):
        """The tests have a folder of locks for themselves."""
        folder = self.root / "locks"
        folder.mkdir()
        place = unittest.mock.patch.object(locks, "FOLDERS", [folder])
        place.start()
        self.addCleanup(place.stop)
        return folder

    def test_those_with_a_lock_run_one_by_one(self):
        self.own_locks()
        folder = self.root / "held"
        for name, wanted in (("a", "x"), ("b", "y x"), ("c", "x z")):
            self.write(f"tst.{name}.d", f"/* @@tags: unprivileged */\n/* @@lock: {wanted} */\n"
                       f"mkdir {folder} && sleep 0.2 && rmdir {folder}\n")
        status, out, _ = self.run_main("-j3", str(self.topic))
        self.assertEqual((status, out.splitlines()[-1]), (0, "3 passed, 0 failed, 0 skipped"))

    def start_other(self, folder, name="tst.a.d"):
        """Another run, of another process, of one script."""
        program = (f"import pathlib, sys; sys.path.insert(0, {str(FAKE.parent)!r}); import golden, locks\n"
                   f"locks.FOLDERS = [pathlib.Path({str(folder)!r})]\n"
                   f"sys.exit(golden.main(['--dtrace', {str(FAKE)!r}, {str(self.topic / name)!r}]))")
        other = subprocess.Popen([sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, text=True)
        self.addCleanup(other.communicate)
        return other

    def test_a_lock_holds_for_other_runs(self):
        folder = self.own_locks()
        held, go = self.root / "held", self.root / "go"
        os.mkfifo(go)
        self.write("tst.a.d", f"/* @@tags: unprivileged @@lock: x */\nmkdir {held}; read <{go}; rmdir {held}\n")
        self.write("tst.b.d", f"/* @@tags: unprivileged @@lock: x */\n[ ! -e {held} ]\n")
        self.write("tst.c.d", f"/* @@tags: unprivileged */\n[ -e {held} ] && echo >{go}\n")
        other = self.start_other(folder)
        while not held.exists():
            time.sleep(0.01)
        # One at a time: tst.b waits for the lock, and tst.c, which ends the other run, goes before it.
        status, out, _ = self.run_main(str(self.topic / "tst.b.d"), str(self.topic / "tst.c.d"))
        self.assertEqual((status, [line.split()[:2] for line in out.splitlines()[:2]], other.wait()),
                         (0, [["PASS", "topic/tst.c.d"], ["PASS", "topic/tst.b.d"]], 0), out)

    def test_waiting_for_a_lock_takes_no_time_of_the_script(self):
        folder = self.own_locks()
        held = self.root / "held"
        self.write("tst.a.d", f"/* @@tags: unprivileged @@lock: x */\nmkdir {held}; sleep 1.2; rmdir {held}\n")
        self.write("tst.b.d", f"/* @@tags: unprivileged @@timeout: 1 @@lock: x */\n[ ! -e {held} ]\n")
        other = self.start_other(folder)
        while not held.exists():
            time.sleep(0.01)
        status, out, _ = self.run_main(str(self.topic / "tst.b.d"))
        self.assertEqual((status, other.wait()), (0, 0), out)

    def test_a_folder_that_cannot_be_written_is_no_failure(self):
        folder = self.own_locks()
        with unittest.mock.patch.object(locks, "FOLDERS", [self.root / "none", folder]):
            with locks.take({"x"}):
                self.assertEqual([path.name for path in folder.iterdir()], ["dtrace-test-x"])
                self.assertIsNone(locks.take_now({"y", "x"}))
                locks.take_now({"y"}).close()

    def test_a_second_chance(self):
        mark = self.root / "mark"
        self.write("tst.a.d", f"/* @@tags: unprivileged */\n[ -e {mark} ] || {{ touch {mark}; exit 2; }}\n")
        self.write("tst.b.d", "/* @@tags: unprivileged */\nexit 3\n")
        found = self.root / "found"
        self.write("tst.c.d", f"/* @@tags: unprivileged */\n[ -e {found} ] || {{ touch {found}; exit 99; }}\n")
        results = self.root / "results"
        self.assertEqual(self.run_main("--again", "--results", str(results), str(self.topic))[0], 1)
        self.assertEqual(sorted((each.name, each.kind, each.reason) for each in verdict.read_results(results)),
                         [("topic/tst.a.d", Kind.PASS, ""), ("topic/tst.b.d", Kind.FAIL, "exit status 3, expected 0"),
                          ("topic/tst.c.d", Kind.FAIL, "exit status 99, expected 0")])
        self.assertEqual(verdict.read_notes(results), ["topic/tst.a.d passed only when it ran again, alone; before: "
                                                       "exit status 2, expected 0"])

    def run_with_history(self, *fails):
        """One run in which those scripts of a, b and c pass only when they run again."""
        for name in "abc":
            mark = self.root / f"mark{name}"
            mark.unlink(missing_ok=True)
            self.write(f"tst.{name}.d", "/* @@tags: unprivileged */\n" +
                       (f"[ -e {mark} ] || {{ touch {mark}; echo two; exit 2; }}\n" if name in fails else ""))
        results = self.root / "results" / "golden.topic"
        status, _, _ = self.run_main("--again", "--history", str(self.root / "history"), "--results", str(results), str(self.topic))
        failed = {each.name[len("topic/tst."):-2]: each for each in verdict.read_results(results) if each.kind is Kind.FAIL}
        return status, failed, verdict.read_notes(results)

    def test_a_second_try_twice_in_ten_runs_fails(self):
        with unittest.mock.patch.object(golden, "now", lambda: "on Monday"):
            status, failed, notes = self.run_with_history("a", "b")
            self.assertEqual((status, failed, len(notes)), (0, {}, 2))
        for _ in range(8):
            self.assertEqual(self.run_with_history(), (0, {}, []))
        with unittest.mock.patch.object(golden, "now", lambda: "on Friday"):
            status, failed, notes = self.run_with_history("a", "c")
        self.assertEqual((status, list(failed)), (1, ["a"]))
        self.assertEqual(failed["a"].reason, "passed only when it ran again, in 2 of the last 10 runs: on Monday (exit status 2, "
                                             "expected 0); on Friday (exit status 2, expected 0)")
        self.assertIn("two", failed["a"].detail)
        self.assertEqual(notes, ["topic/tst.c.d passed only when it ran again, alone; before: exit status 2, expected 0"])
        # b needed its second try ten runs ago, which is forgotten; c in the run before this one.
        status, failed, _ = self.run_with_history("b", "c")
        self.assertEqual((status, list(failed)), (1, ["c"]))
        # A script that passes at once passes, whatever was before.
        self.assertEqual(self.run_with_history(), (0, {}, []))

    def test_what_fails_twice_in_a_run_is_no_second_try(self):
        self.write("tst.a.d", "/* @@tags: unprivileged */\nexit 2\n")
        history = self.root / "history"
        for _ in range(3):
            results = self.root / "results"
            self.run_main("--again", "--history", str(history), "--results", str(results), str(self.topic))
            self.assertEqual([each.reason for each in verdict.read_results(results)], ["exit status 2, expected 0"])

    def test_a_history_that_cannot_be_read_is_a_new_one(self):
        folder = self.root / "history"
        folder.mkdir()
        (folder / "golden.topic").write_text("{\nnull\n{\"began\": 1}\n\xff")
        self.assertEqual(self.run_with_history("a")[:2], (0, {}))
        self.assertEqual(list(self.run_with_history("a")[1]), ["a"])

    def test_all_skipped(self):
        self.write("tst.c.d", "/* @@skip: so */\n")
        status, out, _ = self.run_main(str(self.topic))
        self.assertEqual((status, out.splitlines()[-1]), (77, "0 passed, 0 failed, 1 skipped"))

    def test_nothing_found_is_a_mistake(self):
        status, _, err = self.run_main(str(self.topic))
        self.assertEqual(status, 1)
        self.assertIn("no scripts", err)

    def test_tags_choose(self):
        self.write("tst.a.d", "/* @@tags: unprivileged slow */\n")
        self.write("tst.b.d", "/* @@tags: unprivileged */\n")
        _, out, _ = self.run_main("--without-tags", "slow", str(self.topic))
        self.assertEqual(out.splitlines()[-1], "1 passed, 0 failed, 0 skipped")
        _, out, _ = self.run_main("--tags", "slow", str(self.topic))
        self.assertIn("tst.a.d", out)


if __name__ == "__main__":
    unittest.main()
