all
in order
	Argument Types
		args[0]: unsigned int
		args[1]: userland char *
		args[2]: size_t

	Argument Types
		args[0]: long
		args[1]: long
		args[2]: long

	Argument Types
		args[0]: userland const char *
		args[1]: userland const char **
		args[2]: userland const char **

syscall vmlinux write entry
