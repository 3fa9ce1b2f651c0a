key late 1000
named and lost: 1000
== a cgroup that is claimed long after its birth
key claimed N
all of them: 1, 7 or more too early: 1, 1 or more in time: 1
