CPU FUNCTION
 -> main                                    U
   -> outer                                 U
     -> inner                               U
       -> write                             U
         => write                           K
         <= write                           K
       <- write                             U
     <- inner                               U
   <- outer                                 U
 <- main                                    U
