/*
 * ASSERTION: uregs[] of a number that no register has is refused when compiled.
 * SECTION: Variables/Built-in variables
 */
BEGIN { trace(uregs[42]); exit(0); }
