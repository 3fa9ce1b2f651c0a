ok: a slow query, with its time and text
ok: no fast one
