ok: a path, and a number
ok: what is written
ok: what is read
ok: two paths
ok: an error
ok: a file that is removed
ok: a program that is started
ok: a call that does not return
ok: -x and -s
