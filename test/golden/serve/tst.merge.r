two halves: same
the other way: same
merged again: same
one stream: same
aggsortkey: same
aggsortrev: same
aggzoom: same
agghist: same
aggpack: same
another function: sum.json: line 4: @c2: another function, or other parameters, than in the runs before
other keys: keys.json: line 4: @c: keys of other types than in the runs before
other parameters: linear.json: line 4: @l: another function, or other parameters, than in the runs before
no end: short.json: the run has no end: dtrace was killed, or the disk was full
damaged: damaged.json: line 3: not a line of JSON output
no file: none.json: No such file or directory
other text: whole.d: line 1: not the output of dtrace -x format=json
nothing: --merge: no files: write dtrace --merge FILE...

-- @@stderr --
dtrace: shown.json: @c is left out: printa() printed it while tracing ran, and it was empty at the end
