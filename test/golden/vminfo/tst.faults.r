as_fault + prot_fault 620
as_fault 560, prot_fault 60, kernel_asflt 0

