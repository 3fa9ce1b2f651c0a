# SPDX-License-Identifier: Apache-2.0
# begin_walked THREADS FILES SOCKETS: starts the program to be walked; $pid is its process. end_walked ends it.
begin_walked() {
	cd "$tmpdir" || exit 1
	mkfifo input
	"$triggers/walked" "$@" <input >output &
	exec 9>input
	until read -r _ pid <output; do sleep 0.05; done 2>/dev/null
}
end_walked() {
	exec 9>&-
	wait
}
