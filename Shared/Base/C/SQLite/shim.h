#include <sqlite3.h>

// sqlite3_db_config is variadic, which Swift does not import; these are the two switches this project turns.
static inline int st_sqlite_set_flag(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}
