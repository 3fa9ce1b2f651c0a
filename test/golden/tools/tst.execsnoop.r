ok: two programs that were run
ok: with their arguments
ok: by the same parent
ok: none that failed
ok: -x: no program
ok: -x: no file
