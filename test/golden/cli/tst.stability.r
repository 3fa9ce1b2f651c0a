
Stability attributes for description BEGIN :

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

		Identifier Names: Private
		Identifier Names: Private
		Identifier Names: Private
		Identifier Names: Private
		Identifier Names: Stable
		Identifier Names: Stable
dtrace: -32: D programs are compiled for this kernel, which has 64 bits; -32 is for -h and -G
status 1
