all ended
-> main
-> outer
-> inner
<- inner
<- outer
<- main
