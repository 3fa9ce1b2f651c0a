#!/bin/bash
# ASSERTION: a program may have any number of aggregations and of associative arrays, though a BPF program may use 64 maps:
#   those of one size share one, and their values stay apart, also between two snapshots. What exceeds a limit of the kernel
#   all the same is reported in words.
# SECTION: Aggregations, 5; Variables, 3    @@timeout: 120
# @@tags: release
exec python3 - "$dtrace" "$tmpdir" <<'PYTHON'
import os, subprocess, sys

dtrace, folder = sys.argv[1:3]
os.chdir(folder)
slow = bool(os.environ.get('slow'))
many = 80 if slow else 300  # more than the 64 in any case


def each(count, text):
    """`text` for 0..count-1, with # for the number."""
    return ' '.join(text.replace('#', str(i)) for i in range(count))


def run(program, *options):
    with open('program.d', 'w') as script:
        script.write(program)
    return subprocess.run([dtrace, '-qs', 'program.d', *options], capture_output=True, text=True)


def check(what, program, expected):
    """Says only what is wrong."""
    ran = run(program)
    seen = ran.stdout.split()
    if seen != [str(word) for word in expected] or ran.returncode != 0:
        print(f'{what}: status {ran.returncode}, {len(seen)} words, not {len(expected)}: {seen[:80]}\n{ran.stderr[:500]}')


def refused(what, program, words):
    ran = run(program)
    if ran.returncode != 1 or words not in ran.stderr or len(ran.stderr) > 1000:
        print(f'{what}: status {ran.returncode}: {ran.stderr[:500]}')


def clause(body):
    return 'BEGIN { ' + body + ' exit(0); }\n'


print('aggregations')
check('without keys', clause(each(many, '@a# = sum(#);')), range(many))
check('with keys', clause(each(many, '@a#[#] = sum(# * 2);')), [w for i in range(many) for w in (i, 2 * i)])
check('40 with long keys', clause(each(40, '@a#[strjoin("x", lltostr(#))] = sum(#);')), [w for i in range(40) for w in (f'x{i}', i)])
check('of several functions', clause(each(30, '@c#[1] = count(); @m#[1] = max(#); @v#[1] = avg(# * 3); @s# = sum(#);') +
      each(30, 'printa("%@d %@d %@d ", @c#, @m#, @v#);') + each(30, 'printa("%@d ", @s#);') + each(30, 'trunc(@c#); trunc(@m#); trunc(@v#); trunc(@s#);')),
      [w for i in range(30) for w in (1, i, 3 * i)] + [*range(30)])
# What printa() shows on the way depends on when it is seen: it makes snapshots, and only the end is known.
check('over snapshots', 'tick-10ms {' + each(80, '@a#[#] = sum(#); @b# = sum(#);') + 'printa(" ", @a79); n++; }' +
      'tick-10ms /n == 5/ { exit(0); } END {' + each(80, 'printa("%d %@d ", @a#); printa("%@d ", @b#);') + '}',
      [w for i in range(80) for w in (i, 5 * i, 5 * i)])

print('arrays')
check('many', clause(each(many, 'a#[1] = #;') + 'trace(0' + each(many, '+ a#[1]') + '); trace(" "); a7[1] = 0; trace(a6[1] + a7[1] + a8[1]);'),
      [sum(range(many)), 14])
check('of several sizes', clause(each(20, 'a#[1] = #; b#[execname] = (char)#; self->c#[1LL] = #; d#[1, "x"] = "y";') +
      'printf("%d %d %d %s", a9[1], b9[execname], self->c9[1LL], d9[1, "x"]);'), [9, 9, 9, 'y'])

print('limits')
if not slow:  # the verifier is busy for minutes
    refused('5000 updates', clause(each(5000, '@[#] = count();')), 'more branches one after another than the verifier follows')
refused('80 sizes', clause(each(80, '@a#[1] = lquantize(1, 0, # + 1);')), 'more than 64 maps')
PYTHON
