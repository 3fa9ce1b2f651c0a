struct M { int i; unsigned b : 5; };
struct M m;
int ax[string];
string as[int];
self string s;
string gs;
pid$target:libc:get*pid:entry {
  as[(tid << (walltimestamp & 31))] = toupper(cwd);
  gs = strchr(curpsinfo->pr_fname, 'r');
  self->s = strtok(self->s, probefunc);
}
pid$target:libc:get*pid:entry { m.i = pid ^ caller; m.b = ax[execname]; }
pid$target:libc:get*pid:entry {
  printf("%s ", gs);
  gs = lltostr(ustackdepth > 1 ? 4105 : 0);
  self->s = m.b ? "abc" : probefunc;
  @stacks[ustack(5), execname] = count();
  @strings[strrchr(gs, '1'), strlen(strjoin("abc", self->s))] = stddev(probename == "entry");
}
pid$target:libc:get*pid:entry /++done == 5/ { exit(0); }
END { printa("%s %d: %@d\n", @strings); trunc(@stacks); trunc(@strings); }
