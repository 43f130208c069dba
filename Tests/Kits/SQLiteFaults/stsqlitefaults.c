#include "stsqlitefaults.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>

// What a write since the last sync has covered, so that a crash can put it back.
typedef struct undo {
    struct undo *older;
    sqlite3_int64 offset, size_before;
    int length;
    unsigned char bytes[];
} undo;

typedef struct faulty_file {
    sqlite3_file base;
    struct st_faults *faults;
    struct faulty_file *next;
    undo *unsynced;
    sqlite3_file *real;
} faulty_file;

struct st_faults {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    faulty_file *open;
    int operations, nth, mode, result, seen, fired, dead;
    char name[];
};

#define FILE_OF(f) ((faulty_file *)(f))
#define REAL(f) (FILE_OF(f)->real)
#define CALL(f, method, ...) REAL(f)->pMethods->method(REAL(f), ##__VA_ARGS__)
#define FAULTS(v) ((st_faults *)(v)->pAppData)

static void forget(faulty_file *file) {
    while (file->unsynced) {
        undo *entry = file->unsynced;
        file->unsynced = entry->older;
        free(entry);
    }
}

static int remember(faulty_file *file, sqlite3_int64 offset, sqlite3_int64 length) {
    sqlite3_int64 size = 0;
    int rc = CALL(file, xFileSize, &size);
    if (rc != SQLITE_OK) return rc;
    sqlite3_int64 covered = size > offset ? size - offset : 0;
    if (covered > length) covered = length;
    undo *entry = malloc(sizeof(undo) + (size_t)covered);
    if (!entry) return SQLITE_NOMEM;
    *entry = (undo){.older = file->unsynced, .offset = offset, .size_before = size, .length = (int)covered};
    if (covered > 0) rc = CALL(file, xRead, entry->bytes, (int)covered, offset);
    if (rc != SQLITE_OK) {
        free(entry);
        return rc;
    }
    file->unsynced = entry;
    return SQLITE_OK;
}

static void crash(st_faults *faults) {
    for (faulty_file *file = faults->open; file; file = file->next) {
        for (undo *entry = file->unsynced; entry; entry = entry->older) {
            if (entry->length > 0) CALL(file, xWrite, entry->bytes, entry->length, entry->offset);
            CALL(file, xTruncate, entry->size_before);
        }
        forget(file);
    }
    faults->dead = 1;
}

// Counts one operation; other than SQLITE_OK means that it must not happen.
static int meet(st_faults *faults, int operation) {
    if (faults->dead) return SQLITE_IOERR;
    if (!(faults->operations & operation)) return SQLITE_OK;
    faults->seen++;
    int hit = faults->mode == ST_FAULTS_ONWARDS ? faults->seen >= faults->nth : faults->seen == faults->nth;
    if (!hit) return SQLITE_OK;
    faults->fired = 1;
    if (faults->mode == ST_FAULTS_CRASH) crash(faults);
    return faults->result;
}

static int file_close(sqlite3_file *f) {
    faulty_file **link = &FILE_OF(f)->faults->open;
    while (*link && *link != FILE_OF(f)) link = &(*link)->next;
    if (*link) *link = FILE_OF(f)->next;
    forget(FILE_OF(f));
    return CALL(f, xClose);
}

static int file_read(sqlite3_file *f, void *to, int length, sqlite3_int64 offset) {
    return FILE_OF(f)->faults->dead ? SQLITE_IOERR : CALL(f, xRead, to, length, offset);
}

static int file_write(sqlite3_file *f, const void *from, int length, sqlite3_int64 offset) {
    int rc = meet(FILE_OF(f)->faults, ST_FAULTS_WRITE);
    if (rc == SQLITE_OK) rc = remember(FILE_OF(f), offset, length);
    return rc == SQLITE_OK ? CALL(f, xWrite, from, length, offset) : rc;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
    int rc = meet(FILE_OF(f)->faults, ST_FAULTS_TRUNCATE);
    if (rc == SQLITE_OK) rc = remember(FILE_OF(f), size, 0x7fffffff);
    return rc == SQLITE_OK ? CALL(f, xTruncate, size) : rc;
}

static int file_sync(sqlite3_file *f, int flags) {
    int rc = meet(FILE_OF(f)->faults, ST_FAULTS_SYNC);
    if (rc == SQLITE_OK) rc = CALL(f, xSync, flags);
    if (rc == SQLITE_OK) forget(FILE_OF(f));
    return rc;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size) { return CALL(f, xFileSize, size); }
static int file_lock(sqlite3_file *f, int level) { return CALL(f, xLock, level); }
static int file_unlock(sqlite3_file *f, int level) { return CALL(f, xUnlock, level); }
static int file_reserved(sqlite3_file *f, int *out) { return CALL(f, xCheckReservedLock, out); }
static int file_control(sqlite3_file *f, int op, void *argument) { return CALL(f, xFileControl, op, argument); }
static int file_sector(sqlite3_file *f) { return CALL(f, xSectorSize); }
static int file_device(sqlite3_file *f) { return CALL(f, xDeviceCharacteristics); }
static int file_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
    return CALL(f, xShmMap, page, size, extend, out);
}
static int file_shm_lock(sqlite3_file *f, int offset, int n, int flags) { return CALL(f, xShmLock, offset, n, flags); }
static void file_shm_barrier(sqlite3_file *f) { CALL(f, xShmBarrier); }
static int file_shm_unmap(sqlite3_file *f, int remove) { return CALL(f, xShmUnmap, remove); }

// Version 2: shared memory for WAL, but no memory-mapped reads, which would pass by the faults.
static const sqlite3_io_methods methods = {
    2,            file_close,   file_read,    file_write,   file_truncate, file_sync,        file_size,
    file_lock,    file_unlock,  file_reserved, file_control, file_sector,  file_device,      file_shm_map,
    file_shm_lock, file_shm_barrier, file_shm_unmap, 0, 0,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out_flags) {
    st_faults *faults = FAULTS(vfs);
    faulty_file *file = FILE_OF(f);
    memset(file, 0, sizeof *file);
    if (faults->dead) return SQLITE_CANTOPEN;
    file->real = (sqlite3_file *)(file + 1);
    int rc = faults->real->xOpen(faults->real, name, file->real, flags, out_flags);
    if (rc != SQLITE_OK) return rc;
    file->faults = faults;
    file->next = faults->open;
    faults->open = file;
    file->base.pMethods = &methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync_directory) {
    st_faults *faults = FAULTS(vfs);
    return faults->dead ? SQLITE_IOERR : faults->real->xDelete(faults->real, name, sync_directory);
}

st_faults *st_faults_register(const char *name) {
    sqlite3_vfs *real = sqlite3_vfs_find(0);
    st_faults *faults = real ? calloc(1, sizeof(st_faults) + strlen(name) + 1) : 0;
    if (!faults) return 0;
    strcpy(faults->name, name);
    faults->real = real;
    faults->vfs = *real; // The remaining methods only look at names and clocks, and the default answers those.
    faults->vfs.pNext = 0;
    faults->vfs.szOsFile = (int)sizeof(faulty_file) + real->szOsFile;
    faults->vfs.zName = faults->name;
    faults->vfs.pAppData = faults;
    faults->vfs.xOpen = vfs_open;
    faults->vfs.xDelete = vfs_delete;
    if (sqlite3_vfs_register(&faults->vfs, 0) == SQLITE_OK) return faults;
    free(faults);
    return 0;
}

void st_faults_unregister(st_faults *faults) {
    sqlite3_vfs_unregister(&faults->vfs);
    free(faults);
}

void st_faults_arm(st_faults *faults, int operations, int nth, int mode, int result) {
    faults->operations = operations;
    faults->nth = nth;
    faults->mode = mode;
    faults->result = result;
    faults->seen = faults->fired = 0;
}

void st_faults_disarm(st_faults *faults) { faults->operations = 0; }

int st_faults_fired(const st_faults *faults) { return faults->fired; }

int st_faults_act_as(unsigned int uid) { return setfsuid(uid); }
