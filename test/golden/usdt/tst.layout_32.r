100
-- moved
dtrace: warning: in action list: args[0]: order_t of same differs from its definition in the D library: member more is 4 bytes at 12 in the library, and not in the program
100
-- described
100
dtrace: warning: in action list: args[0]: order_t of described differs from its definition in the D library: member more is 4 bytes at 12 in the library, and not in the program
100
