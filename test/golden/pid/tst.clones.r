$ dtrace -qn pid$target:clones:scale:entry -c ./clones
! dtrace: invalid probe specifier pid$target:clones:scale:entry: failed to lookup 'scale' in module 'clones': the compiler made scale.constprop.0 of it
!   1 | pid$target:clones:scale:entry
!     | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 1
! dtrace: invalid probe specifier: failed to lookup 'scale' in TMP/clones: the compiler made scale.constprop.0 of it
$ dtrace -qn pid$target:clones:scal:entry -c ./clones
! dtrace: invalid probe specifier pid$target:clones:scal:entry: failed to lookup 'scal' in module 'clones'
!   1 | pid$target:clones:scal:entry
!     | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
status 1
$ dtrace -qn pid$target:clones:scale.constprop.0:entry { @ = count(); } -c ./clones

               10
status 0
