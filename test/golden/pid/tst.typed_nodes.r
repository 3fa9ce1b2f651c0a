Statement {
    Tag type = T_Statement
    Command command = CMD_SELECT
    unsigned long id = 0
    _Bool has_returning = 0
    userland Plan * plan = ADDRESS
    userland List * tables = ADDRESS
    userland List * relations = ADDRESS
    userland struct Opaque * opaque = 0
}
Plan {
    Tag type = T_Limit
    double cost = +2.6500000e+01
    int width = 0x28
    _Bool parallel = 0x1
    userland List * targets = 0
    userland struct Plan * left = 0
}
Limit {
    Plan plan = {
        Tag type = T_Limit
        double cost = +2.6500000e+01
        int width = 0x28
        _Bool parallel = 0x1
        userland List * targets = 0
        userland struct Plan * left = 0
    }
    userland Node * count = ADDRESS
}
List {
    Tag type = T_List
    int length = 0x1
    int max_length = 0x4
    userland Cell * elements = ADDRESS
    Cell [0] initial_elements = [
    ]
}
Table {
    Tag type = T_Table
    unsigned int relid = 0x3504
    char kind = 'r'
    unsigned int is_child = 0x1
    unsigned int depth = 0x11
    int mode = 0xd
    userland const char * name = ADDRESS
    userland Set * columns = ADDRESS
}
Set {
    int nwords = 0x1
    unsigned long [0] words = [ ]
}things 13572 300 -3
1 1 26.5

