ok: entries are seen
ok: returns are seen
ok: each time that it is loaded
ok: the module can be unloaded after it
