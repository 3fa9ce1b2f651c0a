place file file
77 1 <unknown> 1
<none> <unknown> pipefs
<none> <none> <none> 0
/ /
<none> <none>
1

