/*
 * ASSERTION: a speculation() beyond nspec gives 0 and is counted; 0 is harmless.
 * SECTION: Speculation
 */
#pragma D option quiet
#pragma D option nspec=1
BEGIN { self->one = speculation(); self->two = speculation(); }
BEGIN { speculate(self->two); printf("lost"); }
BEGIN { commit(self->two); }
BEGIN { discard(self->two); printf("%d", self->one > 0 && self->two == 0); exit(0); }
