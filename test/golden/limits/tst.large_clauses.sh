#!/bin/bash
# ASSERTION: the size of a clause, of an expression and the number of clauses are not bounded by BPF's stack, by the distance
#   of its jumps or by the number of its functions; a fault in a late part of a clause leaves no record of the early ones.
# SECTION: Program structure, 1    @@timeout: 120
# @@parts
# @@tags: release
exec python3 - "$dtrace" "$tmpdir" <<'PYTHON'
import os, subprocess, sys

dtrace, folder = sys.argv[1:3]
os.chdir(folder)
turn, parts = map(int, (os.environ.get('part') or '1/1').split('/'))
count = 0


def each(count, text):
    """`text` for 0..count-1, with # for the number."""
    return ' '.join(text.replace('#', str(i)) for i in range(count))


def check(what, program, expected, status=0):
    """Says only what is wrong."""
    global count
    count += 1
    if (count - turn) % parts:
        return
    print('==', what, flush=True)
    with open('program.d', 'w') as script:
        script.write(program)
    run = subprocess.run([dtrace, '-qs', 'program.d'], capture_output=True, text=True)
    seen = run.stdout.split()
    if seen != [str(word) for word in expected] or run.returncode != status:
        print(f'{what}: status {run.returncode}, {len(seen)} words, not {len(expected)}: {seen[:80]}\n{run.stderr[:500]}')


def refused(what, program, words):
    """In one message, before anything is compiled."""
    global count
    count += 1
    if (count - turn) % parts:
        return
    print('==', what, flush=True)
    with open('program.d', 'w') as script:
        script.write(program)
    run = subprocess.run([dtrace, '-qs', 'program.d'], capture_output=True, text=True)
    if run.returncode != 1 or words not in run.stderr or run.stderr.count('dtrace: ') != 1 or len(run.stderr) > 1000:
        print(f'{what}: status {run.returncode}: {run.stderr[:500]}')


def clause(body):
    return 'BEGIN { ' + body + ' exit(0); }\n'


def nest(count, head, middle, tail=')'):
    return ''.join(head.replace('#', str(i)) for i in range(1, count + 1)) + middle + tail * count


# strings
check('40 strjoin', clause(each(40, 'trace(strjoin(" ", lltostr(#)));')), range(40))
check('40 json', clause(each(40, r'trace(json("{\"a\": {\"b\": [1, 2, #]}}", "a.b[2]")); trace(" ");')), range(40))
check('40 of all sorts', clause(each(40, 'trace(substr(strtok(dirname(strjoin("/ab # /", basename("/x/y"))), "/"), 2));')),
      range(40))
check('300 toupper', clause(each(300, 'trace(strjoin(" ", toupper(strjoin("a", lltostr(#)))));')), [f'A{i}' for i in range(300)])

# printf
check('60 numbers', clause('printf("' + '%d ' * 60 + '\\n"' + each(60, ', # + pid - $pid') + ');'), range(60))
check('60 strings', clause('printf("' + '%s ' * 60 + '\\n"' + each(60, ', substr(strjoin(execname, "#"), strlen(execname))') + ');'),
      range(60))

# expressions
check('200 sums', clause('trace(' + nest(200, '(# + ', 'pid - $pid') + ');'), [20100])
check('99 conditions', clause('trace(' + nest(99, '(pid == -# ? # : ', '7') + ');'), [7])
check('50 strjoin', clause('trace(' + nest(50, 'strjoin("x", ', '""') + ');'), ['x' * 50])

# variables
check('60 elements', clause(each(60, 'a[#, execname] = #;') + 'trace(0' + each(60, '+ a[#, execname]') + ');'), [1770])
check('100 of a thread', clause(each(100, 'self->v# = timestamp + #;') + 'trace(0' + each(100, '+ self->v# - timestamp') + ');'),
      [4950])
check('60 aggregations', clause(each(60, '@a#[probename, #] = sum(#);')), [w for i in range(60) for w in ('BEGIN', i, i)])
check('300 of a clause', clause('this->p = (char *)alloca(8);' + each(300, 'this->s# = strjoin("x", lltostr(#)); this->p[# % 8] = # % 8;') +
      'trace(this->s299);' + each(8, 'printf(" %d", this->p[#]);')), ['x299', *range(8)])

check('300 updates', clause(each(300, '@[# % 5, probename] = sum(#);')),
      [w for i in range(5) for w in (i, 'BEGIN', sum(range(i, 300, 5)))])

# statements
check('2000', clause(each(2000, 'n += #;') + 'trace(n);'), [1999000])
check('60 if', clause(each(60, 'if (pid > #) { n += #; m += strlen(probename); } else { n = -1000000; }') + 'printf("%d %d", n, m);'),
      [1770, 300])
check('300 in a branch', clause('if (pid) { ' + each(300, 'n += strlen(strjoin("a", lltostr(#)));') + '} else {' +
      each(300, 'm += strlen(execname);') + '} printf("%d %d", n, m);'), [10 * 2 + 90 * 3 + 200 * 4, 0])

# clauses
check('300', 'int n; ' + each(300, 'BEGIN { n += #; }') + clause('trace(n);'), [44850])
check('300 with strings', each(300, 'BEGIN { trace(strjoin(" ", lltostr(#))); }') + clause(''), range(300))
check('300 with predicates', each(300, 'BEGIN /n == #/ { n++; @[probename] = count(); }') + clause('trace(n);'), [300, 'BEGIN', 300])

# what no kernel can run
refused('400000 assignments', clause(each(400000, 'n += #;')), 'operations, which is more than the kernel runs (500000)')
refused('70000 variables', clause(each(70000, 'v# = #;')), 'limit of 64255 variables exceeded')

# faults
check('a late part', clause(each(300, 'trace(strjoin("x", lltostr(#)));') + 'trace(*(int *)0);') +
      'ERROR { printf("fault %d\\n", arg4); exit(3); }', ['fault', 1], status=3)
check('within 300 clauses', each(150, 'BEGIN { trace(strjoin(" ", lltostr(#))); }') + 'BEGIN { trace("never"); trace(*(int *)0); }' +
      each(150, 'BEGIN { trace(strjoin(" ", lltostr(#))); }') + clause(''), [*range(150), *range(150)])
PYTHON
