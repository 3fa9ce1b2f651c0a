/*
 * ASSERTION: a per-CPU variable of the kernel by its name is this CPU's copy; per_cpu_ptr gives another CPU's.
 * SECTION: Variables/External Variables
 */
#pragma D option quiet

profile-50ms
/`runqueues.cpu != cpu/
{
	printf("CPU %d reads the run queue of CPU %d\n", cpu, `runqueues.cpu);
	exit(1);
}

tick-300ms
{
	this->here = (uintptr_t)&`runqueues;
	printf("%d %d %d\n", `runqueues.cpu == cpu, ((struct rq *)per_cpu_ptr[this->here, 0])->cpu,
	    ((struct rq *)per_cpu_ptr[this->here, 1])->cpu);
	exit(0);
}
