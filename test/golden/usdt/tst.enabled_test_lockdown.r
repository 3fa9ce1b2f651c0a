sold 0 refunded 0 damaged 0
dtrace: asks: the test whether shop:sold is enabled stays false: this kernel lets no program write to a process's memory (lockdown, or CAP_SYS_ADMIN is missing)
ready

fired 0

sold 0 refunded 0 damaged 0
dtrace: asks: the tests whether shop:refunded and 1 more probe are enabled stay false: this kernel lets no program write to a process's memory (lockdown, or CAP_SYS_ADMIN is missing)
ready

fired 0

