#define _GNU_SOURCE
#include "stprocess.h"
#include <elf.h>
#include <link.h>
#include <netinet/in.h>
#include <sys/mman.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 64, MAX_DATAGRAM_DESCRIPTORS = 16 };

static int start(const struct st_spawn_plan *plan, const int *copies, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int result = posix_spawn_file_actions_init(&actions);
    if (result) return result;
    result = posix_spawnattr_init(&attributes);
    if (result) {
        posix_spawn_file_actions_destroy(&actions);
        return result;
    }
    // Without these two a child inherits the blocked signals of the thread that starts it, and never sees SIGTERM.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // The group that tells the doors of a protected computer who desktop-agent is goes no further.
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_RESETIDS;
    flags |= plan->new_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    result = posix_spawnattr_setsigmask(&attributes, &none);
    if (!result) result = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!result) result = posix_spawnattr_setpgroup(&attributes, 0);
    if (!result) result = posix_spawnattr_setflags(&attributes, flags);
    for (int i = 0; i < plan->count && !result; i++)
        result = posix_spawn_file_actions_adddup2(&actions, copies[i], plan->targets[i]);
    if (!result && plan->directory) result = posix_spawn_file_actions_addchdir_np(&actions, plan->directory);
    if (!result) result = posix_spawn(pid, plan->path, &actions, &attributes, plan->arguments, plan->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

int st_spawn(const struct st_spawn_plan *plan, struct st_spawn_offline *offline) {
    if (plan->count > MAX_DESCRIPTORS) return -EMFILE;
    int copies[MAX_DESCRIPTORS];
    int above = 3;
    for (int i = 0; i < plan->count; i++)
        if (plan->targets[i] >= above) above = plan->targets[i] + 1;
    int made = 0, result = 0;
    // Copies above every target: otherwise one dup2 could overwrite the source of the next.
    while (made < plan->count) {
        int source = plan->sources[made];
        int opened = source < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
        int copy = opened < 0 && source < 0 ? -1 : fcntl(source < 0 ? opened : source, F_DUPFD_CLOEXEC, above);
        if (copy < 0) result = errno;
        if (opened >= 0) close(opened);
        if (copy < 0) break;
        copies[made++] = copy;
    }
    pid_t pid = 0;
    if (!result)
        result = plan->tethered ? st_spawn_tethered(plan, copies, offline, &pid) : start(plan, copies, &pid);
    while (made > 0) close(copies[--made]);
    return result ? -result : pid;
}

int st_memory_file(const char *name) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return fd < 0 ? -errno : fd;
}

int st_seal(int fd) {
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0 ? -errno : 0;
}

int st_tcp_peer(int fd, unsigned char address[16], unsigned short *port) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } peer;
    socklen_t length = sizeof peer;
    if (getpeername(fd, &peer.any, &length) != 0) return 0;
    if (peer.any.sa_family == AF_INET) {
        *port = ntohs(peer.four.sin_port);
        memcpy(address, &peer.four.sin_addr, 4);
        return 4;
    }
    if (peer.any.sa_family != AF_INET6) return 0;
    *port = ntohs(peer.six.sin6_port);
    int is_four = IN6_IS_ADDR_V4MAPPED(&peer.six.sin6_addr);
    memcpy(address, peer.six.sin6_addr.s6_addr + (is_four ? 12 : 0), is_four ? 4 : 8);
    return is_four ? 4 : 8;
}

int st_pidfd_open(pid_t pid) {
    int fd = (int)syscall(SYS_pidfd_open, pid, 0); // always close-on-exec
    return fd < 0 ? -errno : fd;
}

int st_pidfd_signal(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) < 0 ? -errno : 0;
}

int st_reap(pid_t pid, int *code, int *signaled) {
    int status = 0;
    pid_t result;
    do result = waitpid(pid, &status, WNOHANG);
    while (result < 0 && errno == EINTR);
    if (result < 0) return -errno;
    if (result == 0) return 0;
    *signaled = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return 1;
}

int st_has_ended(pid_t pid) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int result;
    do result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : info.si_pid == pid;
}

const char *st_signal_name(int signal) { return sigabbrev_np(signal); }

int st_signalfd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++)
        if (sigaddset(&set, signals[i])) return -errno;
    int result = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (result) return -result;
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int st_signalfd_next(int fd) {
    struct signalfd_siginfo info;
    ssize_t count;
    do count = read(fd, &info, sizeof info);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    return count == sizeof info ? (int)info.ssi_signo : -EIO;
}

int st_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return -errno;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

int st_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0;
}

int st_set_cloexec(int fd) {
    int flags = fcntl(fd, F_GETFD);
    return flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0 ? -errno : 0;
}

int st_notify_open(const char *path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -errno;
    int on = 1;
    int failed = setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on)
        || bind(fd, (struct sockaddr *)&address, sizeof address) || chmod(path, 0600);
    if (!failed) return fd;
    int problem = errno;
    close(fd);
    return -problem;
}

int st_notify_receive(int fd, void *buffer, int size, pid_t *pid, uid_t *uid) {
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int) * MAX_DATAGRAM_DESCRIPTORS)];
        struct cmsghdr aligned;
    } control;
    struct iovec part = {buffer, (size_t)size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t count;
    do count = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    *pid = 0;
    *uid = (uid_t)-1;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item)) {
        if (item->cmsg_level != SOL_SOCKET) continue;
        if (item->cmsg_type == SCM_CREDENTIALS) {
            struct ucred who;
            memcpy(&who, CMSG_DATA(item), sizeof who);
            *pid = who.pid;
            *uid = who.uid;
        } else if (item->cmsg_type == SCM_RIGHTS) {
            // A sender that passes a descriptor (sd_notify_barrier does) waits until it is closed; kept, it would leak.
            size_t bytes = item->cmsg_len - CMSG_LEN(0);
            for (size_t at = 0; at + sizeof(int) <= bytes; at += sizeof(int)) {
                int passed;
                memcpy(&passed, CMSG_DATA(item) + at, sizeof passed);
                close(passed);
            }
        }
    }
    return (int)count;
}

static int release_code(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || (part->p_flags & PF_W)) continue;
        uintptr_t start = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz + page - 1) & ~(page - 1);
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

int st_is_privileged(void) { return getauxval(AT_SECURE) != 0; }

void st_release_code(void) { dl_iterate_phdr(release_code, NULL); }
