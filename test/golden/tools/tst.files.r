ok: statsnoop: a file that is there
ok: statsnoop: one that is not
ok: statsnoop -x
ok: syncsnoop: fsync
ok: syncsnoop: fdatasync
ok: syncsnoop: an error
ok: syncsnoop -m
ok: fileslower -m 0: ten writes, four reads to the end, one more
ok: fileslower: nothing takes so long
ok: filetop: the bytes
ok: filetop: the most first
ok: rwtop: pipes
ok: rwtop: files
