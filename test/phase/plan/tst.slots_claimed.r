program BEGIN_0 on BEGIN, 1 probes, claims a slot
program sys_enter_1 on sys_enter (typed), 2 probes, claims a slot
program sys_exit_2 on sys_exit (typed), 2 probes, claims a slot
program clock_3 on 10309278, 1 probes, claims a slot
program clock_4 on 1000000000, 1 probes, claims a slot
program END_5 on END, 1 probes, claims a slot
clause 0 16 bytes, row, default action
clause 1 16 bytes, row, default action
clause 2 16 bytes, row, default action
clause 3 16 bytes, row, default action
clause 4 16 bytes, row, default action
clause 5 16 bytes, row, default action
