first is unmounted
third is unmounted
while another program of it is executed, its probes stay
second is unmounted
10 sites, 2 calls
program`fire
