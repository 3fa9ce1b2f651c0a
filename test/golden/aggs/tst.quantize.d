/*
 * ASSERTION: quantize() of 5, 0 and 100 prints the histogram of the reference, byte for byte.
 * SECTION: Aggregations/Histogram layout
 */
#pragma D option quiet
BEGIN { @ = quantize(5); @ = quantize(0); @ = quantize(100); exit(0); }
