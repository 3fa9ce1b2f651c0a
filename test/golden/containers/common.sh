# SPDX-License-Identifier: Apache-2.0
# Containers of crun and runc, in bundles of their own: a root made of this machine's programs, mounted read-only. The
# unified hierarchy is bound to /sys/fs/cgroup for the runtimes, wherever this machine has it, so that they use it alone.
# Names have the script's number behind them; shown() takes it away.
number=p$$ # a letter, so that no count looks like it
hierarchy=$(findmnt -nro TARGET -t cgroup2 | head -1)
made=()

# bundle NAME ANNOTATIONS WORD...: a container that runs the command WORD...; $tmpdir/NAME with the fifo `go` is its /shared.
# $namespaces: its namespaces beside that of mounts; $mounts: JSON of further mounts, with a comma at the end;
# $capabilities: JSON of its capabilities, none if empty.
namespaces='pid ipc uts'
mounts= capabilities=
bundle() {
	local name=$1 annotations=$2 words kinds kind
	shift 2
	for kind in $namespaces; do kinds+=",{\"type\":\"$kind\"}"; done
	mkdir -p "$tmpdir/$name/rootfs"/{usr,proc,dev,sys,dtrace,run,triggers,work}
	ln -sf usr/bin usr/lib usr/lib64 usr/sbin "$tmpdir/$name/rootfs/"
	[ -p "$tmpdir/$name/go" ] || mkfifo "$tmpdir/$name/go"
	words=$(printf '"%s",' "$@")
	cat >"$tmpdir/$name/config.json" <<JSON
{"ociVersion":"1.0.0","root":{"path":"rootfs","readonly":true},"annotations":{$annotations},
 "process":{"terminal":false,"user":{"uid":0,"gid":0},"cwd":"/","env":["PATH=/usr/bin:/usr/sbin"],"args":[${words%,}],
  "capabilities":{"bounding":[$capabilities],"effective":[$capabilities],"permitted":[$capabilities]}},
 "mounts":[$mounts{"destination":"/dev","type":"tmpfs","source":"tmpfs"},{"destination":"/proc","type":"proc","source":"proc"},
  {"destination":"/usr","type":"bind","source":"/usr","options":["rbind","ro"]},
  {"destination":"/triggers","type":"bind","source":"$triggers","options":["rbind","ro"]},
  {"destination":"/shared","type":"bind","source":"$tmpdir/$name","options":["rbind","rw"]}],
 "linux":{"cgroupsPath":"${path:-/$name-$number}","namespaces":[{"type":"mount"}$kinds]}}
JSON
}

# start RUNTIME NAME: its process waits for go().
start() {
	made+=("$1 $2-$number")
	unshare -m sh -c 'mount --make-rprivate / && mount --bind "$0" /sys/fs/cgroup && exec "$@"' "$hierarchy" \
		"$1" run -d --pid-file "$tmpdir/$2/pid" -b "$tmpdir/$2" "$2-$number" </dev/null >"$tmpdir/$2/log" 2>&1 || { cat "$tmpdir/$2/log"; exit 1; }
}

# go NAME: lets it run, and waits for the end of what it runs.
go() {
	echo >"$tmpdir/$1/go"
	tail --pid="$(cat "$tmpdir/$1/pid")" -s 0.05 -f /dev/null
}

# remove NAME: the container and its cgroup.
remove() {
	local one
	for one in "${made[@]}"; do
		[ "${one#* }" = "$1-$number" ] || continue
		unshare -m sh -c 'mount --make-rprivate / && mount --bind "$0" /sys/fs/cgroup && exec "$@"' "$hierarchy" \
			"${one% *}" delete -f "$1-$number" >/dev/null 2>&1
	done
}

clean_up() {
	local one
	for one in "${made[@]}"; do remove "$(echo "${one#* }" | sed "s/-$number\$//")"; done
	for one in "${groups_made[@]}"; do rmdir "$one"; done
} 2>/dev/null

# group PATH: a cgroup of ours.
groups_made=()
group() {
	mkdir "$hierarchy$1" && groups_made=("$hierarchy$1" "${groups_made[@]}")
}

# in_group PATH COMMAND...
in_group() {
	local at=$1
	shift
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$hierarchy$at" "$@"
}

shown() { sed -E "s/-?$number//g"; }

# begin ARGUMENT...: dtrace, until `ready` is printed by its BEGIN. Its output is in $tmpdir/out, its messages in $tmpdir/err.
begin() {
	: >"$tmpdir/out"
	"$dtrace" $dt_flags -q "$@" -n 'BEGIN { printf("ready\n"); }' >"$tmpdir/out" 2>"$tmpdir/err" &
	tracer=$!
	until grep -qs ready "$tmpdir/out"; do
		kill -0 $tracer 2>/dev/null || { cat "$tmpdir/err"; exit 1; }
		sleep 0.02
	done
}

# finish: ends it, shows what it printed in order of lines.
finish() {
	kill -INT $tracer
	wait $tracer
	grep -v '^ready$' "$tmpdir/out" | grep . | shown | sed -E "s/ +/ /g; s/^ //" | sort
	shown <"$tmpdir/err"
}
trap clean_up EXIT
