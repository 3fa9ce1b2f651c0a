baz|baz|bar|foo|/|/|.
/foo/bar|/foo/bar|/foo|.|/|/|.|/
.|..|.|.|a|/
/foo/bar/baz|/foo/bar/baz|/foo/baz|/a|../../a|b
/|[]|/|/a|a|/foo/.../x/..y
env /usr/lib/../bin /usr/bin/env

