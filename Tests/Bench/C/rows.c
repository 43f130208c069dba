#include "stbaseline.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t st_baseline_rows(const char *path, int count, int per_commit, const void *hash, int hash_size) {
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    int64_t elapsed = -1;
    if (sqlite3_open(path, &db) != SQLITE_OK) goto done;
    const char *schema = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                         "CREATE TABLE ledger (row INTEGER PRIMARY KEY, segment TEXT, agent TEXT, run TEXT,"
                         " sequence INTEGER, member TEXT, presence TEXT, app TEXT, boot_id TEXT,"
                         " start_boot_ms INTEGER, end_boot_ms INTEGER, start_wall_ms INTEGER, zone TEXT,"
                         " content_hash BLOB, chain_hash BLOB) STRICT;";
    if (sqlite3_exec(db, schema, NULL, NULL, NULL) != SQLITE_OK) goto done;
    const char *sql = "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    if (sqlite3_prepare_v2(db, sql, -1, &insert, NULL) != SQLITE_OK) goto done;
    int64_t start = now_ns();
    for (int i = 0; i < count; i++) {
        if (i % per_commit == 0 && sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) goto done;
        char segment[64];
        int size = snprintf(segment, sizeof segment, "bench-agent/bench-run/%d", i + 1);
        sqlite3_bind_int64(insert, 1, i + 1);
        sqlite3_bind_text(insert, 2, segment, size, SQLITE_TRANSIENT);
        sqlite3_bind_text(insert, 3, "bench-agent", -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 4, "bench-run", -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 5, i + 1);
        sqlite3_bind_text(insert, 6, "child", -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 7, "active", -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 8, i % 2 ? "org.mozilla.firefox" : "org.gnome.TextEditor", -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 9, "bench-boot", -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 10, 1000000 + i * 5000LL);
        sqlite3_bind_int64(insert, 11, 1005000 + i * 5000LL);
        sqlite3_bind_int64(insert, 12, 1790000000000 + i * 5000LL);
        sqlite3_bind_text(insert, 13, "Asia/Seoul", -1, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 14, hash, hash_size, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 15, hash, hash_size, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE) goto done;
        sqlite3_reset(insert);
        if (i % per_commit == per_commit - 1 || i == count - 1)
            if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) goto done;
    }
    elapsed = now_ns() - start;
done:
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return elapsed;
}
