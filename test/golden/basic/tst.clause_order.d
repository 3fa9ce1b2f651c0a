/*
 * ASSERTION: Clauses of one probe run in program order; a false predicate skips its clause only; this-> is shared.
 * SECTION: Clause evaluation
 */
#pragma D option quiet
BEGIN { this->n = 1; printf("a%d\n", this->n); }
BEGIN /this->n == 2/ { printf("never\n"); }
BEGIN /this->n == 1/ { this->n++; printf("b%d\n", this->n); }
BEGIN { printf("c%d\n", this->n); exit(0); }
