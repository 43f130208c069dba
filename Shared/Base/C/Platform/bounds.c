#define _GNU_SOURCE
#include "stprocess.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// A child that can open only the files that its parent names. The kernel's Landlock does it, without root; it also keeps
// the child from signalling, reading or debugging processes that are not its own.

enum {
    RIGHTS_OF_1 = (1 << 13) - 1, // the first version of Landlock
    REFER = 1 << 13,             // from the second: links and moves between folders
    TRUNCATE = 1 << 14,          // from the third
    SCOPES = 3,                  // from the sixth: abstract sockets and signals of others
    OF_FILES = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE,
    TO_READ = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    DEVICES = LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK,
    // What it has written it cannot run.
    TO_WRITE = (RIGHTS_OF_1 | REFER | TRUNCATE) & ~DEVICES & ~LANDLOCK_ACCESS_FS_EXECUTE,
};

int st_landlock_version(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : version;
}

static int allow(int rules, const char *path, uint64_t rights) {
    int place = open(path, O_PATH | O_CLOEXEC);
    // What is not there needs no rule, and what the account may not see gets none.
    if (place < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : errno;
    struct stat about;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
    if (!fstat(place, &about) && !S_ISDIR(about.st_mode)) rule.allowed_access &= OF_FILES;
    int result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) ? errno : 0;
    close(place);
    return result;
}

int st_keep_within(char *const *readable, char *const *writable) {
    int version = st_landlock_version();
    if (!version) return 0;
    uint64_t handled = RIGHTS_OF_1 | (version >= 2 ? REFER : 0) | (version >= 3 ? TRUNCATE : 0);
    // An older kernel knows only the first members, and takes the others when they are 0.
    struct {
        uint64_t files, network, scopes;
    } wanted = {handled, 0, version >= 6 ? SCOPES : 0};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &wanted, sizeof wanted, 0);
    if (rules < 0) return errno;
    int result = 0;
    for (; *readable && !result; readable++) result = allow(rules, *readable, TO_READ & handled);
    for (; *writable && !result; writable++) result = allow(rules, *writable, TO_WRITE & handled);
    if (!result && syscall(SYS_landlock_restrict_self, rules, 0)) result = errno;
    close(rules);
    return result;
}

static int part(int file, void *to, size_t size, uint64_t from) {
    return from <= INT64_MAX && pread(file, to, size, (off_t)from) == (ssize_t)size;
}

int st_library_path(const char *program, char *text, int size) {
    int file = open(program, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    Elf64_Ehdr head;
    int length = 0;
    if (!part(file, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG)
        || head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(Elf64_Phdr)) goto done;
    // Where the dynamic section is, and what lies where in memory.
    enum { PARTS = 32, ENTRIES = 512 };
    Elf64_Phdr parts[PARTS];
    int count = head.e_phnum < PARTS ? head.e_phnum : PARTS, dynamic = -1;
    if (!part(file, parts, sizeof *parts * (size_t)count, head.e_phoff)) goto done;
    for (int i = 0; i < count; i++)
        if (parts[i].p_type == PT_DYNAMIC) dynamic = i;
    if (dynamic < 0) goto done;
    uint64_t strings = 0, own = 0;
    int is_found = 0;
    for (unsigned i = 0; i < ENTRIES; i++) {
        Elf64_Dyn entry;
        if (!part(file, &entry, sizeof entry, parts[dynamic].p_offset + i * sizeof entry)) goto done;
        if (entry.d_tag == DT_NULL) break;
        if (entry.d_tag == DT_STRTAB) strings = entry.d_un.d_ptr;
        if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) own = entry.d_un.d_val, is_found = 1;
    }
    for (int i = 0; i < count && is_found; i++) {
        if (parts[i].p_type != PT_LOAD || strings < parts[i].p_vaddr
            || strings - parts[i].p_vaddr >= parts[i].p_filesz) continue;
        ssize_t got = pread(file, text, (size_t)size - 1,
                            (off_t)((strings - parts[i].p_vaddr + parts[i].p_offset + own) & INT64_MAX));
        text[got > 0 ? got : 0] = 0;
        length = (int)strlen(text);
        break;
    }
done:
    close(file);
    return length;
}
