program BEGIN_0 on BEGIN, 1 probes, slot 0
program sys_enter_1 on sys_enter (typed), 4 probes, slot 1
program sys_exit_2 on sys_exit (typed), 2 probes, slot 2
program clock_3 on 1000000000, 1 probes, slot 3
program END_4 on END, 1 probes, slot 0
clause 0 16 bytes, row, default action
clause 1 16 bytes, row, default action
clause 2 16 bytes, row, default action
clause 3 16 bytes, row, default action
clause 4 16 bytes, row, default action
clause 5 16 bytes, row, default action
