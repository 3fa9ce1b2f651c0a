/*
 * ASSERTION: strtok() skips runs of delimiters, goes on with NULL through the clauses of a firing, and begins each firing
 * with nothing left.
 * SECTION: Actions and subroutines/Subroutines
 */
#pragma D option quiet
BEGIN { printf("%d\n", strtok(NULL, ",") == NULL); }
BEGIN { printf("[%s]", strtok("  one, two,,three ", " ,")); }
BEGIN { printf("[%s]", strtok(NULL, " ,")); printf("[%s]", strtok(NULL, " ,")); }
BEGIN { printf("%d %d\n", strtok(NULL, " ,") == NULL, strtok(NULL, " ,") == NULL); }
BEGIN { printf("%d %d [%s] %d\n", strtok("", ",") == NULL, strtok(",,,", ",") == NULL, strtok("abc", ""), strtok(NULL, ",") == NULL); }
BEGIN { s = "a:b;c"; printf("%s", strtok(s, ":")); printf(" %s", strtok(NULL, ";")); printf(" %s %s\n", strtok(NULL, ":"), s); }
BEGIN { this->left = strtok("left,over", ","); exit(0); }
END { printf("%d\n", strtok(NULL, ",") == NULL); }
