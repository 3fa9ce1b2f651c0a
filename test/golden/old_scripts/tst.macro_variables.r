child same user same group parent

