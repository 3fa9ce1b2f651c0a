own: entry fires  gc-start fires 
root's: D_PROC_GRAB Permission denied  D_PROC_GRAB Permission denied 
== processes of others are said to be missing from what a glob stands for
matched
python*:::gc-start cannot be set in N processes: Permission denied
does not match any
N processes cannot be inspected: Permission denied
