vminfo:vmlinux::maj_fault
vminfo:vmlinux::pgin
vminfo:vmlinux::pgpgin
vminfo:vmlinux::fspgin
vminfo:vmlinux::anonpgin
vminfo:vmlinux::pgout
vminfo:vmlinux::pgpgout
vminfo:vmlinux::fspgout
vminfo:vmlinux::anonpgout
vminfo:vmlinux::pgrrun
vminfo:vmlinux::scan
vminfo:vmlinux::dfree
vminfo:vmlinux::fsfree
vminfo:vmlinux::anonfree
  note: no event of Linux shows that a page was filled with zeros: the fault is as_fault
  note: no event of Linux shows that a page was copied: a write to a page that may not be written is prot_fault
  note: Linux does not distinguish pages of programs from pages of other files: fspgin counts both
  note: Linux does not take pages back from a list of free pages: such a fault is as_fault
  note: the page daemon of Linux has no clock hand: scan counts the pages that it looks at
  note: Linux does not swap whole processes: anonpgin and anonpgout count pages
