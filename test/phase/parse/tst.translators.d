/*
 * ASSERTION: Translators and pragmas stand in source order.
 * SECTION: Translators/Declarations
 */
#pragma D depends_on library types.d
struct out { int o_id; string o_name; };
#pragma D binding "1.0" translator
translator struct out < struct in *I > {
	o_id = I->id;
	o_name = stringof(I->name);
};
#pragma D attributes Stable/Stable/Common out
