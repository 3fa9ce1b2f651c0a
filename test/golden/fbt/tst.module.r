ok: its functions are listed
ok: they fire, with the module's types
