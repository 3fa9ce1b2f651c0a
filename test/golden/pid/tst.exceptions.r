== dynamic
dynamic: the same
chooses 58 cleans 40 risky 148 tail 60 through 148 
D_PROC_CREATEFAIL] failed to create a return probe in '__cxa_rethrow': it does not return
== static
static: the same
chooses 58 cleans 40 risky 148 tail 60 through 148 
== plain
plain: the same
chooses 58 cleans 40 risky 148 tail 40 through 148 
