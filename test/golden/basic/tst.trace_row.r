CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN           1  65    -2                  -3  abc                              

