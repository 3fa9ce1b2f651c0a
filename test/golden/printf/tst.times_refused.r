dtrace: invalid probe specifier BEGIN { printf("%.10Y\n", walltimestamp); }: [D_SYNTAX] in action list: printf( ) format conversion #1 has more than nine digits of a second
dtrace: invalid probe specifier BEGIN { printf("%{%T\n", walltimestamp); }: [D_SYNTAX] in action list: printf( ) format conversion #1 has a time format that is not written %{%H:%M:%S}Y
dtrace: invalid probe specifier BEGIN { printf("%{}Y\n", walltimestamp); }: [D_SYNTAX] in action list: printf( ) format conversion #1 has a time format that is not written %{%H:%M:%S}Y
dtrace: invalid probe specifier BEGIN { printf("%{%T}d\n", walltimestamp); }: [D_SYNTAX] in action list: printf( ) format conversion #1 has a time format that is not written %{%H:%M:%S}Y
dtrace: invalid probe specifier BEGIN { printf("%{%T}\n", walltimestamp); }: [D_SYNTAX] in action list: printf( ) format conversion #1 is undefined: %

1970 Jan  1 00:00:00
dtrace: invalid probe specifier BEGIN { printf("%.3Y", (uint64_t)0); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has conversion #1 of printf( )
dtrace: invalid probe specifier BEGIN { printf("%{%T}Y", (uint64_t)0); exit(0); }: [D_SYNTAX] in action list: option strict is set: only this dtrace has conversion #1 of printf( )

