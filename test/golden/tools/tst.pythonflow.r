ok: as many as the program has
ok: the calls and returns, in order
ok: each return is indented as its call, and took the time between
ok: as a child
ok: -p: calls, and returns of what was active
ok: another program
