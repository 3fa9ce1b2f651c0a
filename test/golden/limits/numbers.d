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
