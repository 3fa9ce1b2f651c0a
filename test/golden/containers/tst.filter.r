== container
