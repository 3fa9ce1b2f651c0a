[D_PRAGMA_MALFORM] line 1: malformed #pragma D binding
	usage: #pragma D binding "version" identifier
  1 | #pragma D binding "1.0"
    | ^~~~~~~~~~~~~~~~~~~~~~~
