ok
ok
ok
