struct s {
    int a = 0xffffffff
    struct in = {
        char c = 'z'
        int [2] arr = [ 0, 0x5 ]
    }
    union u = {
        long l = 0x9
    }
    enum e = QB
    string str = "hey"
    _Bool b = 0x1
    unsigned char uc = '\310'
    char * p = 0
    double d = +0.0000000e+00
    unsigned int bf = 0x6
}
struct {
    char c = 'z'
    int [2] arr = [ 0, 0x5 ]
}
int 0xffffffff|string "hey"|int [2] [ 0, 0x5 ]|_Bool 0x1
enum kind WRITE|int 0x7|int 0x61|char 'a'
char '\0'|char '\310'|short 0xfffd|uint64_t 0x5
string "x"|char [16] [ "dtrace" ]|long long 0xffffffffffffffff|double +0.0000000e+00|float +0.0000000e+00
int 0x1
string "two"
int 0x3
ADDRESS = *
                                            (struct req) {
                                             .id = (int)1,
                                             .tag = (char [3]) [
                                              (char)'o',
                                              (char)'k',
                                             ],
                                             .kind = (enum kind)WRITE,
                                             .bf = (unsigned int)5,
                                            }
int 0x4
ADDRESS = *
                                            (int)7,

