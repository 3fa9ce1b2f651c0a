ok: vmstat: calls of a command
ok: vmstat: processes and programs
ok: vmstat -i: rows of numbers
