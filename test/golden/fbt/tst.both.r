fbt entry 5
fbt return 5
rawfbt entry 5
rawfbt return 5
fbt 5
rawfbt 5

