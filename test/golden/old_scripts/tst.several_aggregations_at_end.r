CALL      COUNT     TIME      AVG      MAX
close         0        0        0        3
write         1     9000     9000     9000
read          2     2000     1000     1500

write         1     9000
read          2     2000
write read close 

