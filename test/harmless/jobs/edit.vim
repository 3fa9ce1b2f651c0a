g/99/s/9/x/g
let total = 0
try
  call NoSuchFunction()
catch /E117/
  let total = 42
endtry
for n in range(20)
  let total += n
endfor
call append(0, 'total ' . total)
sort
write! sorted
qall!
