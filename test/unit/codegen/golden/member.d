/* Memory of the kernel behind pointers. */
BEGIN { trace(curthread->parent->pid); }
