dtrace: failed to compile script x.d: line 5: failed to resolve nosuch: Unknown variable name
dtrace: failed to compile script x.d: [D_STR_NL] line 1: newline in string literal
dtrace: failed to compile script x.d: [D_SYNTAX] line 3: syntax error near "}"
dtrace: failed to compile script x.d: line 100: failed to resolve nosuch: Unknown variable name
dtrace: failed to compile script x.d: "other.d", line 8: failed to resolve nosuch: Unknown variable name
dtrace: failed to compile script x.d: line 5: failed to resolve nosuch: Unknown variable name
dtrace: invalid probe specifier: in action list: failed to resolve nosuch: Unknown variable name
dtrace: invalid probe specifier BEGIN { nosuch; }: [D_IDENT_UNDEF] in action list: failed to resolve nosuch: Unknown variable name
dtrace: invalid probe specifier: in predicate: failed to resolve nosuch: Unknown variable name
dtrace: invalid probe specifier BEGIN /nosuch/ { }: [D_IDENT_UNDEF] in predicate: failed to resolve nosuch: Unknown variable name
dtrace: invalid probe specifier: identifier redeclared: x
dtrace: invalid probe specifier int x; string x;: [D_DECL_IDRED] identifier redeclared: x
dtrace: invalid probe specifier: syntax error near "}"
dtrace: invalid probe specifier BEGIN { trace(1 }: [D_SYNTAX] syntax error near "}"
dtrace: invalid probe specifier: syntax error near end of input: string is not closed
dtrace: invalid probe specifier BEGIN { "open }: [D_SYNTAX] syntax error near end of input: string is not closed
dtrace: invalid probe specifier a:b:c:d:e: invalid probe description "a:b:c:d:e": Overspecified probe description
dtrace: invalid probe specifier a:b:c:d:e: [D_PDESC_INVAL] invalid probe description "a:b:c:d:e": Overspecified probe description
dtrace: invalid probe specifier a:b:c: invalid probe description "a:b:c": Overspecified probe description
  1 | a:b:c
    | ^~~~~
dtrace: invalid probe specifier a:b: invalid probe description "a:b": Overspecified probe description
  1 | a:b
    | ^~~
dtrace: invalid probe specifier x: invalid probe description "x": Unknown probe identifier
