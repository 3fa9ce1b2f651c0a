25 thrown, 25 caught

