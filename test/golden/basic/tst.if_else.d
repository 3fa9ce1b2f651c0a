/*
 * ASSERTION: if/else chooses the actions that run, also nested.
 * SECTION: Grammar/if
 */
#pragma D option quiet
BEGIN
{
	this->x = 7;
	if (this->x > 5) {
		printf("big\n");
		if (this->x == 7)
			printf("seven\n");
		else
			printf("other\n");
	} else {
		printf("small\n");
	}
	if (this->x < 0) printf("negative\n"); else printf("not negative\n");
	exit(0);
}
