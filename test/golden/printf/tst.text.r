[a	b][a\tb\"c][new\nline\\\001][\377x]
[       abc][abc       ][ab][        ab][ab        ][    ab][x]
[hi][hi][   hi][dtrace]
[hé][hé][x€]
1970 Jan  1 00:00:00|Thu, 01 Jan 1970 00:00:00 UTC|2023 Nov 14 22:13:20
0.000000 0.000000e+00 0 0.000000E+00 0 0.000000 0.0    0.000
vmlinux`vfs_read 0x1 0x1
x
cut

