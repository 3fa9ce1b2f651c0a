-- as built: same
-2
-- a member between
dtrace: warning: [D_ARGS_XLATOR] in action list: args[0]: order_t of moved differs from its definition in the D library: member article is 8 bytes at 16 in the program, 8 bytes at 8 in the library
-2
-- a member of another size, in a structure within
dtrace: warning: [D_ARGS_XLATOR] in action list: args[0]: order_t of inner differs from its definition in the D library: member customer.number is 4 bytes at 20 in the program, 2 bytes at 18 in the library
-2
-- a member that has gone; filling is not compared
dtrace: warning: [D_ARGS_XLATOR] in action list: args[0]: order_t of gone differs from its definition in the D library: member serial is 8 bytes at 24 in the library, and not in the program
-2
-2
-- debug information in files that are not looked into
dtrace: warning: [D_ARGS_XLATOR] in action list: args[0]: order_t of split cannot be compared with the D library: its debug information is in .dwo files (-gsplit-dwarf)
-2
-- stripped: nobody can tell
-2
-- described in the provider file, without debug information
dtrace: warning: [D_ARGS_XLATOR] in action list: args[0]: order_t of described differs from its definition in the D library: member serial is 8 bytes at 24 in the library, and not in the program
-2
dtrace: warning: [D_ARGS_XLATOR] in action list: args[0]: order_t of described differs from its definition in the D library: member flags is 3 bits at 20.0 in the program, 4 bits at 20.0 in the library
-2
