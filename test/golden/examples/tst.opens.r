ok: a file that is there
ok: a file that is not
