7 threads, 7 of that name, pr_nlwp 7
all descriptors, 5 of the file

/proc: 7 threads
the descriptors of /proc
the mappings of /proc
3
1
1
1
1
1
