own: entry fires  gc-start fires 
root's: D_PROC_GRAB Permission denied  D_PROC_GRAB Permission denied 
