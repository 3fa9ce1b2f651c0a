ok: gethostlatency: found
ok: gethostlatency: not found
ok: gethostlatency -m: none took a minute
ok: bashreadline: two lines of one shell
