#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: in a browser the page of format heatmap is drawn, shows single keys and single cells, by hand and by its link, asks
#   for no other file, and has no errors.
# SECTION: Output formats    @@timeout: 240    @@tags: userland release software
here=$(realpath "$(dirname "$0")") || exit 1
cd "$tmpdir" || exit 1
cat >check.py <<'PYTHON'
import os, sys

dtrace, here, triggers = sys.argv[1:]
sys.path.insert(0, here)
from browser import Browser
from flame_run import build_steps, trace

keep = os.environ.get('KEEP_SCREENSHOTS')  # a folder: to be looked at


def expect(what, seen, wanted):
    if seen != wanted:
        print(f'{what}: {str(seen)[:900]}\n  not {str(wanted)[:900]}')


trace(dtrace, '-w', '-n', '''syscall::write:return /pid == $target/ { @[arg1 == 8 ? "left" : "</script>"] = quantize(arg1);
  @g = llquantize(arg1, 2, 0, 4, 2); n++; }
  syscall::write:return /pid == $target && n == 4/ { printa(@); printa(@g); system("touch go"); } END { printa(@); printa(@g); }''',
      '-o', 'a.html:heatmap', '-c', build_steps('.'))
trace(dtrace, '-n', 'BEGIN { exit(0); }', '-o', 'empty.html:heatmap')

with Browser(900, 480) as browser:
    print('== all of it')
    browser.open('a.html')
    expect('chosen', browser.text('chosen'), '8 values')
    expect('cells', browser.ask('[canvas = document.querySelector("#box canvas"), canvas.dataset.drawn, canvas.dataset.most].slice(1).join()'), '4,4')
    rows = '[...document.querySelectorAll("#keys tr")].map(row => [...row.cells].map(cell => cell.textContent).join(" "))'
    expect('keys', browser.ask(rows), ['left 4 50.00%', '</script> 4 50.00%'])
    picture = browser.screenshot(f'{keep}/heatmap.png' if keep else None)
    colours = picture.colours()
    expect('the greatest', colours.get((110, 0, 20), 0) > 1000, True)
    expect('the least', colours.get((255, 241, 214), 0) > 1000, True)

    print('== one key, one cell')
    browser.ask('[...document.querySelectorAll("#keys tr")].find(row => row.cells[0].textContent === "left").click()')
    expect('chosen', (browser.text('chosen'), browser.ask('location.hash')), ('key left  ·  4 values', '#key=left'))
    browser.open('a.html', '#key=left&cell=0,3&colours=linear')
    expect('by link', browser.text('chosen'), 'key left  ·  4 values  ·  cell 8 B to 15 B: 4')
    expect('keys of the cell', browser.ask(rows), ['left 4 100.00%'])
    browser.key('Escape')
    expect('all again', (browser.text('chosen'), browser.ask('location.hash')), ('8 values', '#colours=linear'))
    expect('size', browser.ask('document.querySelector("#box canvas").clientHeight > 200'), True)
    # The cell at the top of the first column.
    at = browser.ask('(box => [box.left + 90, box.top + 20])(document.getElementById("box").getBoundingClientRect())')
    browser.move(*at)
    tip = browser.text('tip').split('\n')
    expect('tip', (tip[0], tip[2:]), ('8 B to 15 B', ['4 of 4 in this column (100.00%)', '  4  left']))
    browser.click(*at)
    expect('clicked', (browser.text('chosen'), browser.ask('location.hash')), ('8 values  ·  cell 8 B to 15 B: 4', '#cell=0%2C3&colours=linear'))
    browser.open('a.html', '#view=%40g')
    expect('another view', (browser.text('chosen'), browser.text('names')), ('8 values', 'no keys'))

    print('== an empty page')
    browser.open('empty.html')
    expect('empty', browser.text('empty').split('.')[0], 'No histograms were recorded')
    expect('problems', browser.problems, [])
    expect('requests', {url.rsplit('/')[-1].split('#')[0] for url in browser.requests}, {'a.html', 'empty.html'})
PYTHON
/usr/bin/python3 -B check.py "$dtrace" "$here" "$triggers"
