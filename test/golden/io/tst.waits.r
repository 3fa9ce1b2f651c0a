8192 bytes at 0 of /dev/ram0 written
done 8192 at 0, error 0, same
8192 bytes at 16 of /dev/ram0 written
done 8192 at 16, error 0, same
8192 bytes at 32 of /dev/ram0 written
done 8192 at 32, error 0, same
