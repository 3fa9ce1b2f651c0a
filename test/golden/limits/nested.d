string gs;
self string s;
int n[string];
uint64_t a[uint64_t, string];
pid$target:libc:getppid:entry {
  printf("%s %s %d\n", strjoin(dirname("/a/b/c"), basename("/x/y")), substr(toupper(execname), 0, 2),
    index(strjoin(probefunc, execname), "perl") + (ustackdepth > 1 ? 100 : 0));
  if (strlen(cleanpath("/a/../b")) == 2) {
    gs = strtok("one two", " ");
    if (a[ustackdepth > 1, gs] == 0) {
      a[ustackdepth > 1, gs] = strlen(strjoin(strchr("path/to", '/'), strrchr("a/b/cd", '/')));
      @sums[strstr(strjoin("abc", gs), "co"), gs] = quantize(a[1, gs] + (ustackdepth ? 1 : 0));
    } else {
      n[strjoin(gs, probefunc)]++;
    }
  }
  self->s = strjoin(lltostr(a[1, gs]), ustackdepth > 1 ? strjoin(gs, "!") : "none");
}
pid$target:libc:getppid:entry { trace(self->s); trace(n["onegetppid"]); }
pid$target:libc:getppid:entry /++done == 3/ { exit(0); }
