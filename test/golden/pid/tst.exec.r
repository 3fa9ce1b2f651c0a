spin spin_here

