/* ASSERTION: a missing operand is D_SYNTAX. */
BEGIN { x = ; }
