CPU     ID                    FUNCTION:NAME
CPU 1                           :BEGIN before the commit
CPU 1                           :BEGIN 
CPU 1                           :BEGIN   shown                            
CPU 1                           :BEGIN 

