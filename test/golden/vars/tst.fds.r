place file file
77 1 1 1
<none> <unknown> pipefs
<none> <none> <none> 0
/ /
<none> <none>
1

