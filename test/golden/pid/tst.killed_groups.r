group: breakpoints are there: True, and links: True
group: nothing is left
cgroup: breakpoints are there: True, and links: True
cgroup: nothing is left
the program runs on
