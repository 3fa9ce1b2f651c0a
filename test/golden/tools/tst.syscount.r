ok: as many calls as were made
ok: the most first
ok: -x counts failures only
ok: -P counts by process
ok: -m keeps the first rows
ok: -i prints every second
