seen lseek 2

D_PDESC_ZERO
