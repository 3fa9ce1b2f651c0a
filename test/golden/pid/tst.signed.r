AArch64 feature: BTI, PAC
<leaf>: bti
<leaf>: ret
<middle>: paciasp
<middle>: autiasp
<middle>: ret
<authenticated>: paciasp
<authenticated>: retaa
a wild branch: status 132
== entries and returns, 1
entry authenticated 10
entry leaf 10
entry middle 10
return authenticated 10
return leaf 10
return middle 10
right
== entries and returns, arg0
entry authenticated 10
entry leaf 10
entry middle 10
return authenticated 10
return leaf 10
return middle 10
right
== stacks
leaf middle authenticated outer main begin _start
leaf middle authenticated outer main begin _start
leaf middle authenticated outer main begin _start
main begin _start
