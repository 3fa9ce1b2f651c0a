#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package, on programs whose firings are counted beforehand.

usage: package_test.py LIBRARY SOURCE_FOLDER"""
import asyncio
import os
import subprocess
import sys
import threading
import time
import unittest
import warnings

os.environ['DTRACE_LIBRARY'] = sys.argv[1]
sys.path.insert(0, os.path.join(sys.argv[2], 'python'))
import dtrace  # pylint: disable=wrong-import-position

OURS = f'syscall::getpriority:entry /pid == {os.getpid()}/'


def fire(count):
    for _ in range(count):
        os.getpriority(os.PRIO_PROCESS, 0)


class Rows(unittest.TestCase):
    def test_values_of_every_kind(self):
        with dtrace.Tracer() as tracer:
            program = tracer.add('BEGIN { trace(-5); trace((uint64_t)-1); trace("text"); trace((char)-3);'
                                 ' printf("%d of %s", 7, "nine"); sym((uintptr_t)&`vfs_read); stack(2); exit(0); }')
            self.assertEqual(program.matches, 1)
            row, = tracer
        self.assertEqual(str(row.probe), 'dtrace:::BEGIN')
        self.assertEqual([item.action for item in row.items],
                         ['trace', 'trace', 'trace', 'trace', 'printf', 'sym', 'stack', 'exit'])
        self.assertEqual(row.values[:6], (-5, 2 ** 64 - 1, 'text', -3, 7, 'nine'))
        self.assertEqual(row.items[4].text, '7 of nine')
        self.assertIsInstance(row.items[5].values[0], dtrace.Symbol)
        self.assertEqual(row.items[6].values[0].pid, 0)
        self.assertEqual(row.items[7].values, (0,))
        self.assertIn('vfs_read', row.items[5].text)

    def test_stacks_and_symbols(self):
        with dtrace.Tracer() as tracer:
            tracer.add(OURS + ' { ustack(3); exit(0); }')
            tracer.start()
            fire(1)
            stack = next(iter(tracer)).values[0]
            self.assertEqual(stack.pid, os.getpid())
            self.assertTrue(1 <= len(stack.addresses) <= 3)
            self.assertIn('getpriority', tracer.symbol(stack.addresses[0], stack.pid))

    def test_rows_come_while_it_runs(self):
        with dtrace.Tracer() as tracer:
            tracer.add(OURS + ' { trace(++n); }')
            tracer.start()
            fire(3)
            rows = iter(tracer)
            self.assertEqual([next(rows).values for _ in range(3)], [(1,), (2,), (3,)])
            fire(2)
            tracer.stop()
            self.assertEqual([row.values for row in rows], [(4,), (5,)])

    def test_arguments_and_scripts(self):
        with dtrace.Tracer() as tracer:
            tracer.add('BEGIN { trace($1); trace($$2); exit(0); }', 42, 'word')
            self.assertEqual(next(iter(tracer)).values, (42, 'word', 0))
        path = os.path.join(os.environ.get('TMPDIR', '/tmp'), f'package_test.{os.getpid()}.d')
        with open(path, 'w', encoding='utf-8') as file:
            file.write('#pragma D option quiet\nBEGIN { printf("%s", $$1); exit(0); }\n')
        try:
            with dtrace.Tracer() as tracer:
                tracer.add_script(path, 'argument')
                self.assertEqual(tracer.option('quiet'), 1)
                self.assertEqual(next(iter(tracer)).text, 'argument')
        finally:
            os.remove(path)

    def test_commands(self):
        messages = []
        with dtrace.Tracer(on_message=messages.append) as tracer:
            process = tracer.run_command(['sh', '-c', 'exit "$1"', 'sh', '9'])
            tracer.add('syscall::exit_group:entry /pid == $target/ { trace((int)arg0); }')
            self.assertEqual([row.values for row in tracer], [(9,)])
        self.assertGreater(process.pid, 0)
        self.assertIn(str(process.pid), ' '.join(messages))

    def test_grabbed_processes(self):
        with subprocess.Popen(['sleep', '60']) as child, dtrace.Tracer() as tracer:
            self.assertEqual(tracer.grab(child.pid).pid, child.pid)
            tracer.add('proc:::exit /pid == $target/ { trace(pid); }')
            tracer.start()
            child.kill()
            self.assertEqual([row.values for row in tracer], [(child.pid,)])


class Aggregations(unittest.TestCase):
    def test_functions(self):
        with dtrace.Tracer() as tracer:
            tracer.add('BEGIN { @c = count(); @s = sum(-7); @min = min(-9); @min = min(4); @max = max(4); @avg = avg(3);'
                       '@avg = avg(4); @dev = stddev(3); @dev = stddev(-3); @k[1, "a"] = sum(5); @k[2, "b"] = sum(3); }')
            tracer.start()
            found = tracer.aggregations()
        self.assertEqual({name: found[name].value for name in ('c', 's', 'min', 'max', 'avg', 'dev')},
                         {'c': 1, 's': -7, 'min': -9, 'max': 4, 'avg': 3.5, 'dev': 3.0})
        self.assertEqual(list(found['k'].entries.items()), [((2, 'b'), 3), ((1, 'a'), 5)])
        self.assertEqual(found['k'].function, 'sum')

    def test_histograms(self):
        bucket = dtrace.Bucket
        with dtrace.Tracer() as tracer:
            tracer.add('BEGIN { @q = quantize(0); @q = quantize(5); @q = quantize(7); @q = quantize(-3);'
                       '@l = lquantize(25, -10, 100, 10); @l = lquantize(-11, -10, 100, 10); @l = lquantize(100, -10, 100, 10);'
                       '@ll = llquantize(15, 10, 0, 2, 10); @ll = llquantize(0, 10, 0, 2, 10);'
                       '@ll = llquantize(1000, 10, 0, 2, 10); @ll = llquantize(-250, 10, 0, 2, 10); }')
            tracer.start()
            found = tracer.aggregations()
        self.assertEqual(found['q'].value, [bucket(-3, -2, 1), bucket(0, 0, 1), bucket(4, 7, 2)])
        self.assertEqual(found['l'].value, [bucket(None, -11, 1), bucket(20, 29, 1), bucket(100, None, 1)])
        self.assertEqual(found['ll'].value,
                         [bucket(-299, -200, 1), bucket(0, 0, 1), bucket(10, 19, 1), bucket(1000, None, 1)])

    def test_normalized(self):
        with dtrace.Tracer() as tracer:
            tracer.add('BEGIN { @s = sum(-75); @a = avg(30); normalize(@s, 10); normalize(@a, 10); exit(0); }')
            list(tracer)
            found = tracer.aggregations()
        self.assertEqual((found['s'].value, found['a'].value), (-7, 3.0))

    def test_snapshots(self):
        with dtrace.Tracer() as tracer:
            tracer.add(OURS + ' { @[probefunc, pid] = count(); }')
            tracer.start()
            self.assertEqual(tracer.aggregations(), {})
            fire(4)
            key = ('getpriority', os.getpid())
            self.assertEqual(tracer.aggregations()['_'].entries, {key: 4})
            fire(1)
            self.assertEqual(tracer.aggregations()['_'].entries, {key: 5})
            tracer.clear()
            fire(2)
            self.assertEqual(tracer.aggregations()['_'].entries, {key: 2})


class Mistakes(unittest.TestCase):
    def test_diagnostics(self):
        with dtrace.Tracer() as tracer:
            with self.assertRaises(dtrace.ProgramError) as caught:
                tracer.add('BEGIN { trace(nosuch); }\nEND\n{ trace(strlen(1, 2)); }')
            self.assertEqual([(one.tag, one.line) for one in caught.exception.diagnostics],
                             [('D_IDENT_UNDEF', 1), ('D_PROTO_LEN', 3)])
            self.assertIn('nosuch', caught.exception.diagnostics[0].message)
            with self.assertRaises(dtrace.ProgramError) as caught:
                tracer.add('nosuch:::probe { }')
            self.assertEqual(caught.exception.diagnostics[0].tag, 'D_PDESC_ZERO')
            self.assertEqual(tracer.add('nosuch:::probe { }', may_match_nothing=True).matches, 0)

    def test_options(self):
        with dtrace.Tracer(bufsize='64k', quiet=True) as tracer:
            self.assertEqual((tracer.option('bufsize'), tracer.option('quiet'), tracer.option('cpu')), (65536, 1, None))
            with self.assertRaisesRegex(dtrace.Error, 'nosuch'):
                tracer.set_option('nosuch', 1)
        with self.assertRaises(ValueError):
            tracer.option('quiet')

    def test_faults_and_drops(self):
        faults, drops, rows = [], [], 0
        with dtrace.Tracer(on_fault=faults.append) as tracer:
            tracer.add('BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }')
            list(tracer)
        self.assertEqual([fault.code for fault in faults], [4])
        self.assertEqual(faults[0].probe.name, 'BEGIN')
        with dtrace.Tracer(on_drop=drops.append, bufsize='16k') as tracer:
            tracer.add(OURS + ' { trace(probefunc); trace(execname); }')
            tracer.start()
            fire(3000)
            tracer.stop()
            rows = len(list(tracer))
        self.assertGreater(len(drops), 0)
        self.assertEqual(rows + sum(drop.count for drop in drops), 3000)
        with warnings.catch_warnings(record=True) as caught, dtrace.Tracer() as tracer:
            warnings.simplefilter('always')
            tracer.add('BEGIN { x = 0; trace(1 / x); } BEGIN { exit(0); }')
            list(tracer)
        self.assertEqual([warning.category for warning in caught], [dtrace.FaultWarning])

    def test_exceptions_of_callbacks_arrive(self):
        def fail(_):
            raise KeyError('mine')
        with dtrace.Tracer(on_fault=fail) as tracer:
            tracer.add('BEGIN { x = 0; trace(1 / x); }')
            with self.assertRaises(KeyError):
                for _ in tracer:
                    pass

    def test_destructive(self):
        with dtrace.Tracer() as tracer:
            tracer.add('BEGIN { system("true"); }')
            with self.assertRaisesRegex(dtrace.Error, 'estructive'):
                tracer.start()


class Together(unittest.TestCase):
    def test_asyncio(self):
        """Two tracers and a task that fires, in one loop; nobody keeps the others waiting."""
        async def rows_of(tracer, wanted):
            seen = []
            async for row in tracer:
                seen.append(row.values[0])
                if len(seen) == wanted:
                    tracer.stop()
            return seen

        async def fire_slowly(count):
            for _ in range(count):
                await asyncio.sleep(0.02)
                fire(1)

        async def run(first, second):
            return await asyncio.gather(rows_of(first, 3), rows_of(second, 5), fire_slowly(8))

        with dtrace.Tracer() as first, dtrace.Tracer() as second:
            first.add(OURS + ' { trace(++n); }')
            second.add(OURS + ' { trace(++n * 10); }')
            began = time.monotonic()
            some, others, _ = asyncio.run(asyncio.wait_for(run(first, second), 60))
        self.assertEqual(some[:3], [1, 2, 3])
        self.assertEqual(others[:5], [10, 20, 30, 40, 50])
        self.assertLess(time.monotonic() - began, 60)

    def test_threads(self):
        counts = {}

        def trace():
            thread = threading.get_native_id()
            with dtrace.Tracer() as tracer:
                tracer.add(f'syscall::getpgid:entry /tid == {thread}/ {{ @ = count(); }}')
                tracer.start()
                for _ in range(50):
                    os.getpgid(0)
                counts[thread] = tracer.aggregations()['_'].value
        threads = [threading.Thread(target=trace) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(list(counts.values()), [50, 50])

    def test_another_thread_is_refused(self):
        """A timer that closes the tracer while the main thread is in it: an exception, and tracing goes on."""
        refused = []

        def misuse(tracer):
            for method in (tracer.close, tracer.stop, tracer.turn, tracer.snapshot, tracer.aggregations,
                           lambda: tracer.option('quiet')):
                try:
                    method()
                except dtrace.Error as error:
                    refused.append((error.number, str(error)))

        with dtrace.Tracer() as tracer:
            tracer.add(OURS + ' { trace(++n); }')
            tracer.start()
            inside, over = threading.Event(), threading.Event()
            turn = tracer._library.work  # pylint: disable=protected-access

            def slow_turn(*arguments):  # the main thread is in the library until the other one has tried
                inside.set()
                over.wait()
                return turn(*arguments)
            tracer._library.work = slow_turn  # pylint: disable=protected-access
            try:
                thread = threading.Thread(target=lambda: (inside.wait(), misuse(tracer), over.set()))
                thread.start()
                fire(2)
                rows = iter(tracer)
                self.assertEqual([next(rows).values for _ in range(2)], [(1,), (2,)])
                thread.join()
            finally:
                tracer._library.work = turn  # pylint: disable=protected-access
            self.assertEqual(refused, [(1008, 'another thread uses the tracer')] * 6)
            fire(1)
            self.assertEqual(next(rows).values, (3,))

    def test_a_timer_may_close_it_at_any_moment(self):
        for delay_s in (0, 0.01, 0.02, 0.03, 0.05):
            tracer = dtrace.Tracer(on_drop=lambda drop: None)
            tracer.add('profile-997 { trace(timestamp); }')
            tracer.start()
            refused = []

            def close(target=tracer, refused=refused):
                try:
                    target.close()
                except dtrace.Error as error:
                    refused.append(str(error))
            timer = threading.Timer(delay_s, close)
            timer.start()
            try:
                for _ in tracer:
                    if not timer.is_alive():
                        break
            except (ValueError, dtrace.Error) as error:
                self.assertRegex(str(error), 'closed|another thread')
            timer.join()
            if refused:
                self.assertEqual(refused, ['another thread uses the tracer'])
                tracer.turn()
                tracer.close()
            with self.assertRaisesRegex(ValueError, 'closed'):
                tracer.turn()

    def test_no_close_in_a_callback(self):
        with dtrace.Tracer(on_fault=lambda fault: tracer.close()) as tracer:
            tracer.add('BEGIN { x = 0; trace(1 / x); } END { trace(5); }')
            tracer.start()
            with self.assertRaisesRegex(dtrace.Error, 'in a function that it calls'):
                for _ in tracer:
                    pass
            tracer.stop()
            self.assertEqual([row.values for row in tracer], [(5,)])

    def test_probes(self):
        with dtrace.Tracer(compile_only=True) as tracer:
            found = tracer.probes('syscall::getpriorit?:')
        self.assertEqual(sorted(probe.name for probe in found), ['entry', 'return'])
        self.assertEqual({probe.function for probe in found}, {'getpriority'})


def may_trace():
    try:
        with dtrace.Tracer() as tracer:
            tracer.add('BEGIN { exit(0); }')
            list(tracer)
    except PermissionError as error:
        return str(error)
    except dtrace.Error as error:
        if 'not permitted' in str(error):
            return str(error)
        raise
    return ''


if __name__ == '__main__':
    reason = may_trace()
    if reason:
        print('skipped:', reason)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
