-- python
prog.py work line 2: 5
generation 1

	Probe Description Attributes
		Identifier Names: Evolving
		Data Semantics:   Evolving
		Dependency Class: Common

	Argument Attributes
		Identifier Names: Evolving
		Data Semantics:   Evolving
		Dependency Class: Common

	Argument Types
		args[0]: userland char *
		args[1]: userland char *
		args[2]: int

-- the user's own
work line 2: 5
-- one that makes no sense
D_ARGS_TYPE
line 1: translated argument 1 of probe function__entry has no native argument
-- postgresql
1
2
3
SELECT 1 AS a 1
SELECT 1 AS a 1 done
SELECT 2 AS a 1
SELECT 2 AS a 1 done
SELECT 3 AS a 1
SELECT 3 AS a 1 done
		args[0]: int
		args[1]: unsigned int
		args[2]: unsigned int
		args[3]: unsigned int
		args[4]: unsigned int
		args[5]: int
		args[6]: unsigned char
		args[7]: unsigned char
