/*
 * ASSERTION: Native and translated arguments are kept apart; unknown type names are taken as types.
 * SECTION: Statically Defined Tracing for User Applications/Definitions
 */
provider shop {
	probe order__start(int id, char *who);
	probe order__done(int, struct item *it) : (item_t *it);
	probe idle();
	probe any(opaque *, int string, ...);
};
