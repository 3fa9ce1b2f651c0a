CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN   begins                                  1234
  0      1                           :BEGIN 

