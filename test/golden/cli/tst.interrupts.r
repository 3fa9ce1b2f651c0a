== nobody reads, INT
begin
status 1
lost: OutputLost
dtrace: failed to write to <stdout>: nobody reads it
== nobody reads, TERM
begin
status 1
lost: OutputLost
dtrace: failed to write to <stdout>: nobody reads it
== abandoned
begin
status 1
lost: Abandoned
dtrace: failed to write to <stdout>: abandoned at a second interrupt
== a slow reader gets everything
begin
end
status 0
nothing was lost
== waiting for a command
begin

end

! dtrace: 2 system(): command ended, or not run, after an interrupt
!        COUNT  CPU CLAUSE           CAUSE
!            2    -                  system(): command ended, or not run, after an interrupt
status 1
== waiting for the preprocessor
status 143
none is left
