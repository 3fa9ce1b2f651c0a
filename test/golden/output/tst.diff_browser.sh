#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the page of --diff shows the comparison as soon as it is open, with both numbers of a frame, and ends it.
# SECTION: Output formats    @@timeout: 120    @@tags: userland release software
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import subprocess, sys

dtrace, here = sys.argv[1:]
sys.path.insert(0, here)
from browser import Browser


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


program = 'syscall::chdir:entry /pid == $target/ { @[copyinstr(arg0), ustack(1)] = count(); }'
for name, steps in (('before', 'cd /usr; cd /usr; cd /bin; cd /bin'), ('after', 'cd /usr; cd /usr; cd /usr; cd /lib')):
    subprocess.run([dtrace, '-qn', program, '-x', 'format=json', '-o', f'{name}.json', '-c', f"sh -c '{steps}; true'"], check=True)
subprocess.run([dtrace, '--diff', 'before.json', 'after.json', '-o', 'diff.html:flame'], check=True)
print('== compared')
with Browser() as browser:
    browser.open('diff.html')
    expect('named', browser.text('other'), 'Compared with before.json')
    expect('shown', browser.ask('document.getElementById("difference").hidden'), False)
    for path, share in (('/usr', 'matched 3 of 4 (75.00%), other 2 (50.00%)'), ('/lib', 'matched 1 of 4 (25.00%), other 0 (0.00%)'),
                        ('/bin', 'matched 0 of 4 (0.00%), other 2 (50.00%)')):
        browser.open('diff.html', f'#q={path}')
        expect(path, browser.text('matched'), share)
    browser.ask('document.getElementById("end").click()')
    expect('ended', browser.ask('document.getElementById("difference").hidden'), True)
    expect('no error', browser.text('problem'), '')
PYTHON
/usr/bin/python3 -B check.py "${dtrace:-$1}" "$here"
