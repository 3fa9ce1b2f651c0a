[] 2
[BEGIN] 1
[a] 2
[abcdefg] 2
[abcdefgh] 2
[abcdefghijklmno] 2
[abcdefghijklmnop] 2
[abcdefghijklmnopq] 2
[abcdefghijklmnopqrstuvwxyz0123456789] 2
[dtrace] 1
[literal] 1
defghijk 5 bc 6: 40
defghijkl 4 bc 6: 30
defghijkl 5 bc 6: 11
defghijkl 5 bc 7: 50
defghijkl 5 bcd 6: 20
abcdefghijkl 50
abcdefghijklm 200
abcdefghijkl
           value  ------------- Distribution ------------- count    
               2 |                                         0        
               3 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
            >= 4 |                                         0        
abcdefghijklm
           value  ------------- Distribution ------------- count    
               0 |                                         0        
               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        
               2 |                                         0        

