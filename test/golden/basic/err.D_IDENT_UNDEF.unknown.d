/* ASSERTION: an unknown identifier is D_IDENT_UNDEF. */
BEGIN { trace(nosuch); }
