short later
other later
short at once
ok: -n
