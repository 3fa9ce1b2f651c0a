ok: calls and bytes
ok: sizes
