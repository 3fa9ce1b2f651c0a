ok: entries, returns, then those of busy functions
ok: the first parts are nearly all
ok: without functions of patching
ok: which are in the last parts
ok: no function is in two links
ok: of two at once, number 1 counts each entry
ok: and each return
ok: of two at once, number 2 counts each entry
ok: and each return
ok: no CPU is kept
