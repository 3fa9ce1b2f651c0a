in any any return once
