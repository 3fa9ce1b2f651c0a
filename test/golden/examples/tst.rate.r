ok: two reports
ok: a busy program in both
ok: the second counts anew
