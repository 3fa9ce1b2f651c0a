CPU FUNCTION 
-> main in 
-> lseek in 
=> lseek in 
<= lseek out 
<- lseek out 
-> lseek in 
=> lseek in 
<= lseek out 
<- lseek out 
<- main out 
