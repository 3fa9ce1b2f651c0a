== ./args
3 arguments, execarg <./args> <LONG> <last> <<none>> <<none>>
pr_argv[1] LONG
pr_envp[0] FIRST=one
behind the last 0
psargs of 212 characters, as execargs: 1

== ./narrow
3 arguments, execarg <./narrow> <LONG> <last> <<none>> <<none>>
pr_argv[1] LONG
pr_envp[0] FIRST=one
behind the last 0
psargs of 214 characters, as execargs: 1

== cut
./args xxxxxxxxxxxx./args xxxxxxxxxxxx./args xxxxxxxxxxxx
COUNT CPU CLAUSE CAUSE
2 CPU dt_clause_0 string cut at its size
== gone
dtrace: error in dt_clause_0 for probe ID N (syscall:vmlinux:sched_get_priority_max:entry): invalid address (ADDRESS)
dtrace: error in dt_clause_1 for probe ID N (syscall:vmlinux:sched_get_priority_max:entry): invalid address (ADDRESS)
./gone
== another process
<unknown> 0 0
1

