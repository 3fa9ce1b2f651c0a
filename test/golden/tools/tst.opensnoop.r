ok: the heading
ok: two opens of a file, by the child
ok: one that fails
ok: the shell opens its script
ok: -x and -f leave only the one that fails
ok: -n leaves only the child
ok: a name with a quote and a backslash is taken as it is
ok: and found
status 0
ok: -p shows one process, and ends with it
