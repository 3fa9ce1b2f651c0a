/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ASSERTION: a character of a string variable is assigned, in variables of all kinds and by an index that varies. A 0 ends
 * the text, and one more character is added at its end; what earlier texts have left behind the end is not seen again. As
 * keys, such strings are equal to others of the same text. At the last byte of a string, and in NULL, it is a fault.
 * SECTION: Types, Operators, and Expressions/Strings
 */
#pragma D option quiet

string g;

BEGIN {
  this->s = "abc";
  this->s[1] = 88;
  this->r = this->s[1] = 'B';
  printf("%s %c %d\n", this->s, this->r, strlen(this->s));
  g = "long text that is gone";
  g = "xyz";
  g[3] = '!';
  printf("[%s]\n", g);
  g[9] = '?';
  g[4] = '.';
  printf("[%s]\n", g);
  g[1] = 0;
  printf("[%s] %d\n", g, g == "x");
  g[1] = 'y';
  printf("[%s]\n", g);
  self->t = execname;
  self->t[0]++;
  self->t[1] -= 32;
  printf("%d %s\n", self->t[0] == execname[0] + 1, self->t[1] == execname[1] - 32 ? "upper" : "no");
  a["k", 1] = strjoin("ele", "ment");
  i = 3;
  a["k", 1][i++] = 'M';
  printf("%s %d\n", a["k", 1], i);
}

BEGIN {
  this->k = "keyed text";
  this->k[3] = 0;
  @["key"] = count();
  @[this->k] = count();
  b[this->k] = 7;
  printf("%d %d\n", b["key"], this->k == "key");
  this->k[3] = 'z';
  this->k[4] = 'y';
  @[this->k] = count();
  @["keyzy"] = count();
  printa("%s %@d\n", @);
}

BEGIN {
  n[2] = "two";
  this->u = "upper";
  for (this->i = 0; this->i < 5; this->i++)
    this->u[this->i] -= 32;
  printf("%s\n", this->u);
}

BEGIN {
  i = 255;
  g[i] = 'x';
}

BEGIN {
  i = -1;
  g[i] = 'x';
}

BEGIN {
  n[1][0] = 'x';
}

BEGIN {
  printf("[%s] %d\n", g, n[1] == NULL);
  exit(0);
}
