/*
 * ASSERTION: lquantize() labels its underflow and overflow rows and counts inside steps.
 * SECTION: Aggregations/Histogram layout
 */
#pragma D option quiet
BEGIN { @ = lquantize(-1, 0, 30, 10); @ = lquantize(5, 0, 30, 10); @ = lquantize(25, 0, 30, 10); @ = lquantize(30, 0, 30, 10); exit(0); }
