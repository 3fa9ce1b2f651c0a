#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions that call each other share 512 bytes of stack: large clauses, parts of them, and the walk of user stacks. Each
# of these programs was refused ("combined stack size of 6 calls is 528").
# @@timeout: 120
cd "$tmpdir" || exit 1
cat >strings.d <<'D'
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
D
cat >numbers.d <<'D'
int arr[4], ax[string], h;
uint64_t a[uint64_t, uint64_t], g;
self string s;
this uint64_t y, z;
string gs;
BEGIN { arr[1] = 3; h = 2; a[1, 7] = 40; }
pid$target:libc:get*pid:entry {
  self->s = substr(cleanpath(strjoin("/tmp/..", strjoin("/", probename))), gid % ((int)arr[2] | 1),
    strlen(strjoin(probename, "x")));
  @["sum", cleanpath(lltostr(arr[1])), a[2, walltimestamp] * (h - gid)] =
    sum(a[ustackdepth > 1, g && curthread->pid || !id ? 8 : 7]);
}
pid$target:libc:get*pid:entry {
  gs = strstr(strrchr("a/bc", '/'), basename("x/bc"));
  ax[toupper(substr(curpsinfo->pr_fname, 0, strlen(gs)))]++;
}
pid$target:libc:get*pid:entry /curthread->pid ^ g/ {
  this->y = (id > arr[1] ? arr[1] : h) & (timestamp ? 7 : caller);
  this->z = ax[strjoin("P", "E")];
  @[strtok(toupper(self->s), basename("/")), dirname("/one/two"), index(gs, "c")] =
    sum(ax["PE"] * strlen(basename(execname)) + this->y * 1000 + this->z);
  g += a[tid, arr[1]] - (h << (h & 31));
}
pid$target:libc:get*pid:entry /++done == 3/ { exit(0); }
D
for script in strings numbers; do
  echo "== $script"
  "$dtrace" $dt_flags -qs $script.d -c 'perl -e "getppid() while (1)"' 2>&1 | head -20
done
