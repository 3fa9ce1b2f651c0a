ok: its functions are listed
ok: they fire, with the module's types
ok: returns as well
ok: stacks name the module
ok: and the kernel
ok: symbol and function
ok: types of a module
