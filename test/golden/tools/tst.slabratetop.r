ok: 1000 open files
ok: with their bytes
ok: most bytes first
ok: -n
