refused
given up
refused 1, others 1

