-2
1
dtrace: [D_ARGS_TYPE] args[0] of ordersPID:::placed is declared orderinfo_t *, a type that no D library defines: -L names a folder with one that does
dtrace: [D_ARGS_TYPE] args[1] of ordersPID:::placed is declared customer_info_t *, a type that no D library defines: -L names a folder with one that does
100
-- without a second list
3
dtrace: [D_ARGS_TYPE] args[0] of plainPID:::made is declared order_t *, a type that no D library defines: -L names a folder with one that does
7
