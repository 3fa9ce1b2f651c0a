/*
 * ASSERTION: of a translator's member that is given twice, the last counts.
 * SECTION: Translators
 */
#pragma D option quiet
typedef struct pair { int first; int second; } pair_t;
translator pair_t < int number > { first = number; second = number + 1; first = number * 10; };
BEGIN { printf("%d %d\n", xlate <pair_t> (7).first, xlate <pair_t> (7).second); exit(0); }
