#!/bin/bash
# ASSERTION: curcpu->cpu_info has the state, the kind and the nominal frequency of the processor.
# SECTION: Variables/Built-in variables
# @@tags: release
read -r clock < <(cat /sys/devices/system/cpu/cpu0/cpufreq/{base_frequency,cpuinfo_max_freq} 2>/dev/null | awk '{ print int($1 / 1000) }')
"$dtrace" -qn 'BEGIN {
	printf("%d [%s] %s\n", curcpu->cpu_info.pi_state == P_ONLINE, curcpu->cpu_info.pi_fputypes, curcpu->cpu_info.pi_processor_type);
	printf("%d MHz\n", curcpu->cpu_info.pi_clock); exit(0); }' | sed "s/ $(uname -m)$/ uname -m/; s/^${clock:-0} MHz/as the kernel says/" | grep .
