ok: a slow query, with its time and text
ok: a prepared one, by its statement
ok: no fast one
ok: -m 0 -p: quick ones, and one that is wrong
