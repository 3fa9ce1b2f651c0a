first y 1
first x 2
second x 1 5
second x 2 100
third x 2 3 5
fourth x 6
fifth y 9 6
sixth  1
sixth x 1
seventh x 1 19
eighth x 51
ninth x 70
tenth x 
           value  ------------- Distribution ------------- count    
               4 |                                         0        
               8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        
              16 |                                         0        

