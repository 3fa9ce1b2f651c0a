/*
 * ASSERTION: json() finds members and elements by path; what is found is given without quotes, what is not is NULL.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
BEGIN
{
	this->j = "{\"a\": {\"b\": [1, 2, {\"c\": \"deep\"}], \"t\": true, \"n\": null, \"f\": -1.5e3}, \"s\": \"text\", \"e\": \"\", \"o\": {}}";
	printf("%s|%s|%s|%s|%s\n", json(this->j, "a.b[2].c"), json(this->j, "a.b[1]"), json(this->j, "a.t"), json(this->j, "a.n"), json(this->j, "a.f"));
	printf("%s|[%s]|%s|%s\n", json(this->j, "s"), json(this->j, "e"), json(this->j, "o"), json(this->j, "a.b"));
	printf("%d %d %d %d\n", json(this->j, "zz") == NULL, json(this->j, "a.b[7]") == NULL, json("", "a") == NULL, json("not json", "a") == NULL);
	printf("%s %s\n", json("[10, [20, 30]]", "[1][0]"), json("{\"k\": {\"k\": \"v\"}}", "k.k"));
	exit(0);
}
