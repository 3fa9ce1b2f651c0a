FS O 0 0 TMP/blob
FS W 3000 0 TMP/blob
FS W 5000 2 TMP/blob
FS W 100 1024 TMP/blob
FS S 0 0 TMP/blob
FS R 70 2 TMP/blob
FS R 10 4 TMP/blob
FS S 0 0 TMP/blob
FS R -1 0 TMP/blob
ok: -f
ok: -f: another
ok: -m
