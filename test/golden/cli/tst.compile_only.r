$ dtrace -e -n BEGIN{printf("never\n")}
status 0
$ dtrace -e
status 0
$ dtrace -e -n BEGIN{system("never")}
status 0
$ dtrace -e -n BEGIN{nosuch}
! dtrace: invalid probe specifier: in action list: failed to resolve nosuch: Unknown variable name
!   1 | BEGIN{nosuch}
!     |       ^~~~~~
status 1
$ dtrace -ev -n dtrace:::BEGIN{trace(pid)}

Stability attributes for description dtrace:::BEGIN:

	Minimum Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Minimum Statement Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

dtrace:::BEGIN

	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Types
		None

status 0
$ dtrace -ev -n BEGIN{trace(1)} END{trace(2)} BEGIN{}

Stability attributes for description BEGIN:

	Minimum Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Minimum Statement Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

:::BEGIN

	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Types
		None


:::END

	Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Argument Types
		None

status 0
$ dtrace -v -qn dtrace:::BEGIN{exit(0)}

Stability attributes for description dtrace:::BEGIN:

	Minimum Probe Description Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common

	Minimum Statement Attributes
		Identifier Names: Stable
		Data Semantics:   Stable
		Dependency Class: Common


status 0
$ dtrace -eS -n dtrace:::BEGIN{exit(0)}
status 0
names its program
