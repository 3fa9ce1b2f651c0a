#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: in a browser the page of format flame is drawn in the colours of the kinds, is searched and zoomed by hand and by
#   its link, compares with a second page and with folded stacks, asks for no other file, and has no errors.
# SECTION: Output formats    @@timeout: 240    @@tags: userland release software
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, sys

dtrace, here, triggers = sys.argv[1:]
sys.path.insert(0, here)
from browser import Browser
from flame_run import Page, build, trace

keep = os.environ.get('KEEP_SCREENSHOTS')  # a folder: to be looked at


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


def screenshot(name):
    return browser.screenshot(f'{keep}/{name}.png' if keep else None)


def near(colours, wanted):
    """How many pixels are about that colour."""
    return sum(count for colour, count in colours.items() if all(abs(a - b) <= 24 for a, b in zip(colour, wanted)))


def place(name, kind=None):
    """The middle of a frame that is drawn."""
    return browser.ask('(name => { for (let y = 5; y < innerHeight; y += 9) for (let x = 20; x < innerWidth; x += 30) {'
                       'const box = document.getElementById("box"), rect = box.getBoundingClientRect();'
                       'if (y < rect.top || y > rect.bottom) continue;'
                       'box.onmousemove({ clientX: x, clientY: y });'
                       'if (document.querySelector("#tip b") && !document.getElementById("tip").hidden &&'
                       ' document.querySelector("#tip b").textContent === name) return [x, y]; } return null; })'
                       f'({name!r})')


shape = build('.')
program = 'syscall::getppid:entry /pid == $target/ { @[execname, stack(), ustack()] = count(); @n[ustack()] = max(pid); }'
trace(dtrace, '-xlines', '-n', program, '-o', 'a.html:flame', '-c', shape)
trace(dtrace, '-n', 'syscall::write:entry /pid == $target/ { @[ustack()] = count(); } syscall::write:entry /pid == $target/ { trace(*(int *)8); }',
      '-o', 'paths.html:flame', '-o', 'paths.folded:folded', '-c', f'{triggers}/paths', stderr='.*invalid address.*')
trace(dtrace, '-n', 'syscall::getppid:entry /pid == $target/ { @[ustack(200)] = count(); }', '-o', 'python.html:flame', '-c',
      '/usr/bin/python3 -B leaf.py')
trace(dtrace, '-n', 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }', '-o', 'cut.html:flame', '-c', f'{shape} deep')
trace(dtrace, '-n', 'BEGIN { @["</script><script>document.title = 1</script>", stack(1)] = count(); exit(0); }', '-o', 'harm.html:flame')
trace(dtrace, '-n', 'BEGIN { exit(0); }', '-o', 'empty.html:flame')
with open('other.folded', 'w') as file:
    file.write('shape;shape`main;shape`outer;shape`work 1\nshape;shape`main;gone 9\n')

with Browser(900, 480) as browser:
    print('== search and zoom by link')
    browser.open('a.html')
    expect('not searched', browser.text('matched'), '')
    for query, wanted in {'outer': 'matched 3 of 4 (75.00%)', 'OUTER': 'matched 3 of 4 (75.00%)', '/o(u)?the?r/': 'matched 1 of 4 (25.00%)',
                          '/%5Eshape%60(outer%7Cother)$/': 'matched 4 of 4 (100.00%)', 'shape%60work': 'matched 3 of 4 (75.00%)',
                          'nowhere': 'matched 0 of 4 (0.00%)'}.items():
        browser.open('a.html', f'#q={query}')
        expect(query, browser.text('matched'), wanted)
    browser.open('a.html', '#q=shape%60work&zoom=shape%60outer')
    expect('zoomed', browser.text('matched'), 'matched 3 of 4 (75.00%); 100.00% of the zoomed frame')
    expect('reset', browser.ask('document.getElementById("reset").disabled'), False)
    browser.open('a.html', '#view=%40n')
    expect('view', browser.ask('document.getElementById("view").selectedOptions[0].text'), '@n (max)')
    expect('no sum', 'do not add up' in browser.text('legend'), True)
    browser.open('a.html', '#q=/(/')
    expect('a wrong expression', (browser.text('matched'), browser.ask('document.getElementById("query").className')), ('', 'bad'))

    print('== by hand')
    browser.open('a.html')
    x, y = place('shape`outer')
    browser.move(x, y)
    expect('tip', browser.text('tip').split('\n'), ['shape`outer', 'program: shape.c', '3 counted (75.00%)'])
    browser.click(x, y)
    browser.wait('location.hash.includes("zoom")')
    expect('link', browser.ask('new URLSearchParams(location.hash.slice(1)).get("zoom").split(";").slice(-2).join(";")'), 'shape`main;shape`outer')
    expect('reset', browser.ask('document.getElementById("reset").disabled'), False)
    x, y = place('shape`work')
    browser.move(x, y)
    expect('tip of the inlined', browser.text('tip').split('\n'), ['shape`work', 'inlined: shape.c', '3 counted (75.00%)', '100.00% of shape`outer'])
    browser.ask('history.back()')
    browser.wait('!location.hash.includes("zoom") && document.getElementById("reset").disabled')
    browser.key('/', '/')
    expect('focus', browser.ask('document.activeElement.id'), 'query')
    for letter in 'other':
        browser.key(letter, letter)
    expect('typed', browser.text('matched'), 'matched 1 of 4 (25.00%)')
    expect('link of it', browser.ask('location.hash'), '#q=other')
    browser.key('Escape')
    expect('escape', (browser.text('matched'), browser.ask('location.hash')), ('', ''))
    browser.ask('document.activeElement.blur()')
    flame = place('all')
    browser.key('i', 'i')
    expect('layout', (browser.ask('location.hash'), place('all')[1] < flame[1]), ('#layout=icicle', True))
    browser.ask('document.getElementById("box").focus()')
    for key, text in (('ArrowDown', 'shape  ·  key: execname  ·  4 counted (100.00%)'), ('ArrowUp', 'all  ·  4 counted (100.00%)')):
        browser.key(key)
        expect(key, browser.text('details'), text)

    print('== pictures')
    kinds = {'key': (212, 205, 226), 'program': (246, 177, 121), 'inlined': (244, 220, 113), 'kernel': (140, 195, 239)}
    browser.open('a.html')
    light = screenshot('a')
    colours = light.colours()
    expect('size', (light.width, light.height), (900, 480))
    for kind, colour in kinds.items():
        if near(colours, colour) < 3000:
            print(kind, near(colours, colour), sorted(colours.items(), key=lambda item: -item[1])[:12])
    if max(colours.values()) > 0.9 * 900 * 480:
        print('blank')
    browser.open('python.html')
    if near(screenshot('python').colours(), (143, 214, 160)) < 3000:
        print('no managed colour')
    browser.open('cut.html')
    if near(screenshot('cut').colours(), (241, 177, 187)) < 1500:
        print('no colour of what is cut')
    browser.open('a.html', '#q=shape%60work')
    if near(screenshot('search').colours(), (232, 121, 249)) < 3000:
        print('nothing highlighted')
    browser.dark(True)
    browser.open('a.html')
    if sum(map(sum, screenshot('dark').rows[470])) > 900 * 3 * 60:
        print('not dark')
    browser.dark(False)

    print('== comparison')
    browser.open('a.html')
    browser.choose_file('#file', 'a.html')
    browser.wait('!document.getElementById("difference").hidden')
    expect('named', browser.text('other'), 'Compared with a.html')
    browser.move(*place('shape`outer'))
    expect('the same', browser.text('tip').split('\n')[2:],
           ['this run: 3 counted (75.00%)', 'other run: 3 (75.00%)', 'difference: +0.00 percentage points'])
    trace(dtrace, '-n', program.replace('@n[ustack()] = max(pid)', '').replace('stack(), ', ''), '-o', 'b.html:flame', '-c', shape)
    browser.open('b.html', '#q=/gone%7Couter/')
    browser.choose_file('#file', 'other.folded')
    browser.wait('!document.getElementById("difference").hidden')
    expect('gone', browser.text('matched'), 'matched 3 of 4 (75.00%), other 10 (100.00%)')
    browser.move(*place('gone'))
    expect('tip', browser.text('tip').split('\n')[2:],
           ['this run: 0 counted (0.00%)', 'other run: 9 (90.00%)', 'difference: -90.00 percentage points'])
    browser.key('Escape')
    colours = screenshot('difference').colours()
    for change, colour in {'more': (239, 97, 88), 'less': (86, 143, 241)}.items():
        if near(colours, colour) < 3000:
            print(change, sorted(colours.items(), key=lambda item: -item[1])[:12])
    browser.open('paths.html')
    browser.choose_file('#file', 'paths.folded')
    browser.wait('!document.getElementById("difference").hidden')
    browser.move(*place('paths`left'))
    expect('the same as folded', browser.text('tip').split('\n')[2:],
           ['this run: 3 counted (37.50%)', 'other run: 3 (37.50%)', 'difference: +0.00 percentage points'])
    expect('no problems', browser.problems, [])
    browser.choose_file('#file', 'check.py')
    browser.wait('!document.getElementById("problem").hidden')
    expect('no profile', browser.text('problem'), 'Cannot compare with check.py: line 1 is no folded stack: import os, sys')

    print('== what was lost, and pages that are odd')
    browser.open('paths.html')
    expect('stated', browser.text('incomplete'), '8 firings ended by an error')
    browser.open('harm.html')
    expect('harmless', (browser.ask('document.title').startswith('Flame graph'), browser.ask('document.scripts.length')), (True, 2))
    place('</script><script>document.title = 1</script>') or print('the key is not drawn')
    browser.open('empty.html')
    expect('empty', browser.text('empty').split('.')[0], 'No stacks were recorded')
    expect('problems', browser.problems, [])
    expect('requests', {url.split('/')[0] for url in browser.requests}, {'file:'})
    expect('only pages', {url.rsplit('/')[-1].split('#')[0].endswith('.html') for url in browser.requests}, {True})
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here" "$triggers"
