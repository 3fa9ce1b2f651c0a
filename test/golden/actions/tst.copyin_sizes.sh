#!/bin/bash
# ASSERTION: copyin() takes sizes that are not constant beyond scratchsize, and its bytes end as a string; where there is no
#   room the message says which option gives more; copyinto() stays within the block.
# SECTION: Actions and Subroutines/copyin()
cd "$tmpdir" || exit 1
head -c 6000 /dev/zero | tr '\0' x >data
run() {
  "$dtrace" "$@" -c 'dd if=data of=/dev/null bs=6000 count=1 status=none' 2>err | sed '/^$/d'
  sed -e '/^$/d' -e 's/ for probe ID.*: / /' -e 's/ (0x[0-9a-f]*)$//' err
}
clause() { echo "syscall::write:entry /pid == \$target && arg2 == 6000/ { $1 exit(0); }"; }
run -qn "$(clause 'this->p = (string)copyin(arg1, 3000); this->q = (string)copyin(arg1, arg2 - 2000); printf("%d %d\n", strlen(this->p), strlen(this->q));')" -xstrsize=8192
run -qn "$(clause 'this->p = (string)copyin(arg1, 3); printf("%s %d\n", this->p, strlen((string)copyin(arg1, arg2 - 5900)));')"
run -qn "$(clause 'trace(strlen((string)copyin(arg1, arg2)));')"
run -qn "$(clause 'printf("%d\n", strlen((string)copyin(arg1, arg2)));')" -xstrsize=8192 -xscratchsize=8k
run -qn "$(clause 'this->p = alloca(8); copyinto(arg1, 8, this->p); printf("%s\n", (string)this->p);')"
run -qn "$(clause 'this->p = alloca(8); copyinto(arg1, 9, this->p);')"
run -qn "$(clause 'this->p = alloca(8); copyinto(arg1, arg2 - 5991, this->p);')"
