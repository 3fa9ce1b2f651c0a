0 0 1 12345 7
-1 12345 12345 7
ok: entries by what there is
ok: returns too
0 0 1 12345 7
-1 12345 12345 7
ok: entries otherwise
ok: returns too
