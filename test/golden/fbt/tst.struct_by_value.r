ok: one register
ok: two registers are returned
ok: on the stack
ok: as a whole
ok: widths
