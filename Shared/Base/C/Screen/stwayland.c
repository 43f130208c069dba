#define _GNU_SOURCE
#include "stwayland.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int stw_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof(address.sun_path)) return -ENAMETOOLONG;
    memcpy(address.sun_path, path, length + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        int problem = errno;
        close(fd);
        return -problem;
    }
    return fd;
}

int stw_peer(int fd, pid_t *pid, uid_t *uid) {
    struct ucred peer;
    socklen_t size = sizeof(peer);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -errno;
    *pid = peer.pid;
    *uid = peer.uid;
    return 0;
}

int stw_memory_file(const char *name, int64_t size) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -errno;
    if (ftruncate(fd, size) != 0) {
        int problem = errno;
        close(fd);
        return -problem;
    }
    return fd;
}

int stw_array_has(const struct wl_array *array, uint32_t word) {
    const uint32_t *words = array->data;
    for (size_t index = 0; index < array->size / sizeof(*words); index++) {
        if (words[index] == word) return 1;
    }
    return 0;
}

static void say_nothing(const char *format, va_list arguments) {
    (void)format;
    (void)arguments;
}

void stw_be_quiet(void) { wl_log_set_handler_client(say_nothing); }
