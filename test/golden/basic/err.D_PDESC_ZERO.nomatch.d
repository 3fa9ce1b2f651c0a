/* ASSERTION: a description that matches nothing is D_PDESC_ZERO. */
nosuch:::probe { trace(1); }
