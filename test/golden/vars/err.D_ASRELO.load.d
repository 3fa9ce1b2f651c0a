/* ASSERTION: where the kernel does not list its data, loadavg is refused, with the variable that is missing. */
BEGIN { trace(loadavg[0]); }
