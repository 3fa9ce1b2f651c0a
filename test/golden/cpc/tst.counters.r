as_fault + prot_fault 620
all 620, user 620, kernel 0, at an address 620
every 20th 20.., others of a hundred 0..20

page_faults-all-1000000000
cpu-clock 5.., task-clock 5.., in the kernel 0

  note: a probe of cpc is EVENT-MODE-COUNT, its mode user, kernel or all: cycles-user-1000000
  note: a probe of cpc is EVENT-MODE-COUNT, its mode user, kernel or all: cycles-user-1000000
  note: a counter of the processor fires every 5000 events at most
  note: a clock counts nanoseconds and fires every 10000 at most
