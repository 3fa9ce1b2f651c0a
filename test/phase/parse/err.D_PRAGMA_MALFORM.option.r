[D_PRAGMA_MALFORM] line 1: superfluous arguments to #pragma D option
	usage: #pragma D option name[=value]
  1 | #pragma D option quiet = 1
    |                        ^~~
