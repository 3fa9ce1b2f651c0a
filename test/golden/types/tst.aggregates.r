5 five 9 two 0
1 0
8 14
255 16
BA 32
1
struct outer {
    struct in = {
        int a = 0
        union {
            short s = 0x4142
            char [2] c = [ "BA" ]
        }
    }
    const char * p = 0
    int (*)() fn = 0
    volatile unsigned int flag = 0x1
}
