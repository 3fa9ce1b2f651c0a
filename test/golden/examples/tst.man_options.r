not in the manual page: []
in the manual page only: []
--help differs: []
