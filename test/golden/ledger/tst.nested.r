bad 0 rows 20000 total 20000 keys 20000 profile fired True
