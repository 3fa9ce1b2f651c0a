/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sched.d - processors: cpuinfo_t and the inlines curcpu, chip, lgrp, pset.
 */

typedef struct cpuinfo {
	processorid_t cpu_id;
	int cpu_pset;
	int cpu_chip;		/* physical package */
	int cpu_lgrp;		/* NUMA node */
} cpuinfo_t;

translator cpuinfo_t < struct task_struct *T > {
	cpu_id = T->thread_info.cpu;
	cpu_pset = 0;
	cpu_chip = 0;
	cpu_lgrp = 0;
};

translator cpuinfo_t < processorid_t C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = 0;
	cpu_lgrp = 0;
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (curthread);
inline int pset = curcpu->cpu_pset;
inline int chip = curcpu->cpu_chip;
inline int lgrp = curcpu->cpu_lgrp;
