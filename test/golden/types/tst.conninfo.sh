#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: conninfo_t has the two ends of a kernel's socket as text, of both families, and csinfo_t its identity.
printf '#!/bin/bash\n(exec 3<>/dev/tcp/127.0.0.1/1) 2>/dev/null\n(exec 3<>/dev/tcp/::1/1) 2>/dev/null\ntrue\n' >"$tmpdir/connects"
chmod +x "$tmpdir/connects"
"$dtrace" $dt_flags -q -n 'sdt:::inet_sock_set_state /progenyof($target)/ { this->s = (struct sock *)arg0;
    @[xlate<conninfo_t *>(this->s)->ci_remote, xlate<conninfo_t *>(this->s)->ci_local, xlate<conninfo_t>(this->s).ci_protocol,
      xlate<csinfo_t *>(this->s)->cs_cid != 0] = count(); }
  END { printa("%s %s %s %d\n", @); }' -c "$tmpdir/connects" | grep . | sort
