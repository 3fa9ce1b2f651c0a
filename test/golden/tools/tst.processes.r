ok: killsnoop: to itself
ok: killsnoop: a test
ok: killsnoop: an error
ok: killsnoop -x -s
ok: threadsnoop: five threads
ok: threadsnoop -P: and two processes
