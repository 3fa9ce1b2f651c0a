orders place placed

	Probe Description Attributes
		Identifier Names: Evolving
		Data Semantics:   Evolving
		Dependency Class: ISA

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Evolving
		Dependency Class: Common

	Argument Types
		args[0]: orderinfo_t *
		args[1]: customer_info_t *
		args[2]: int

orders place dropped

	Probe Description Attributes
		Identifier Names: Evolving
		Data Semantics:   Evolving
		Dependency Class: ISA

	Argument Attributes
		Identifier Names: Stable
		Data Semantics:   Evolving
		Dependency Class: Common

	Argument Types
		args[0]: userland char *
		args[1]: orderinfo_t *

-- no pragmas

	Probe Description Attributes
		Identifier Names: Private
		Data Semantics:   Private
		Dependency Class: Unknown

	Argument Attributes
		Identifier Names: Private
		Data Semantics:   Private
		Dependency Class: Unknown

	Argument Types
		args[0]: userland char *
		args[1]: orderinfo_t *

