cbrt 50
member 500

