D_PDESC_ZERO
for all processes python*
D_PDESC_ZERO
D_PDESC_ZERO
python3 gc-done
python3 gc-start
