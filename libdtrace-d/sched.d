/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sched.d - processors: cpuinfo_t, processor_info_t and the inlines curcpu, chip, lgrp, pset.
 */
inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

typedef struct processor_info {
	int pi_state;		/* P_ONLINE: it executes the probe */
	string pi_processor_type;	/* as uname -m: "x86_64" */
	string pi_fputypes;	/* "": Linux has no names for them */
	int pi_clock;		/* nominal MHz of the first processor, 0: not known */
} processor_info_t;

translator processor_info_t < processorid_t C > {
	pi_state = P_ONLINE;
	pi_processor_type = __dt_processor_type;
	pi_fputypes = "";
	pi_clock = __dt_processor_mhz;
};

typedef struct cpuinfo {
	processorid_t cpu_id;
	int cpu_pset;
	int cpu_chip;		/* physical package */
	int cpu_lgrp;		/* NUMA node */
	processor_info_t cpu_info;
} cpuinfo_t;

translator cpuinfo_t < struct task_struct *T > {
	cpu_id = T->thread_info.cpu;
	cpu_pset = 0;
	cpu_chip = 0;
	cpu_lgrp = 0;
	cpu_info = xlate <processor_info_t> ((processorid_t)T->thread_info.cpu);
};

translator cpuinfo_t < processorid_t C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = 0;
	cpu_lgrp = 0;
	cpu_info = xlate <processor_info_t> (C);
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (curthread);
inline int pset = curcpu->cpu_pset;
inline int chip = curcpu->cpu_chip;
inline int lgrp = curcpu->cpu_lgrp;
