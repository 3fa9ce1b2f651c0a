armed
breakpoints are there
and are gone
the program runs on
