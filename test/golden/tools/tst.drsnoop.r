ok: as many pages as there are too many, and no more than were read
ok: one process, with times
ok: -m
