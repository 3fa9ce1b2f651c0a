
/proc/sys/kernel/ostype /proc/sys/kernel/ostype
Linux

Linux
seen

dtrace

10
dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10)
