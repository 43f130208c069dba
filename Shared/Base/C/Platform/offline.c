#define _GNU_SOURCE
#include "stprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

// A child without a way into other processes, and on request without a network: the kernel refuses what reaches into
// others, and every socket but the one to its host. No root is needed, as the child can gain no privileges any more, and
// what it starts is bound by the same.

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#ifdef NATIVE

enum { X32_BIT = 0x40000000 };

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, member))
// `yes` and `no` say how many lines are skipped.
#define COMPARE(how, value, yes, no) BPF_JUMP(BPF_JMP | how | BPF_K, (value), (yes), (no))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define WHERE(number, action) COMPARE(BPF_JEQ, (number), 0, 1), ANSWER(action)

enum { ABSENT = SECCOMP_RET_ERRNO | ENOSYS, DENIED = SECCOMP_RET_ERRNO | EPERM };

// The calls of another architecture have other numbers, and io_uring opens sockets without the call: neither is there.
// Nor may it take sockets, memory or keys out of another process of the same account, change what that one does, or signal
// any but itself. Memory that is shared counts for no process's limit (RLIMIT_DATA), so it makes none. A number of a
// process, a family, a type and flags are ints, the lower half of what is passed.
#define OTHERS(self)                                                                                        \
    LOAD(arch),                                                                                             \
    COMPARE(BPF_JEQ, NATIVE, 1, 0),                                                                         \
    ANSWER(ABSENT),                                                                                         \
    LOAD(nr),                                                                                               \
    COMPARE(BPF_JGE, X32_BIT, 0, 1),                                                                        \
    ANSWER(ABSENT),                                                                                         \
    WHERE(SYS_io_uring_setup, ABSENT),                                                                      \
    WHERE(SYS_pidfd_getfd, DENIED),                                                                         \
    WHERE(SYS_ptrace, DENIED),                                                                              \
    WHERE(SYS_process_vm_readv, DENIED),                                                                    \
    WHERE(SYS_process_vm_writev, DENIED),                                                                   \
    WHERE(SYS_keyctl, DENIED),                                                                              \
    WHERE(SYS_add_key, DENIED),                                                                             \
    WHERE(SYS_request_key, DENIED),                                                                         \
    WHERE(SYS_bpf, DENIED),                                                                                 \
    WHERE(SYS_userfaultfd, DENIED),                                                                         \
    WHERE(SYS_perf_event_open, DENIED),                                                                     \
    WHERE(SYS_unshare, DENIED),                                                                             \
    WHERE(SYS_setns, DENIED),                                                                               \
    WHERE(SYS_tkill, DENIED),                                                                               \
    WHERE(SYS_rt_sigqueueinfo, DENIED),                                                                     \
    WHERE(SYS_rt_tgsigqueueinfo, DENIED),                                                                   \
    WHERE(SYS_pidfd_send_signal, DENIED),                                                                   \
    WHERE(SYS_memfd_create, DENIED),                                                                        \
    WHERE(SYS_shmget, DENIED),                                                                              \
    COMPARE(BPF_JEQ, SYS_mmap, 0, 5),                                                                       \
    LOAD(args[3]),                                                                                          \
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_ANONYMOUS),                                        \
    COMPARE(BPF_JEQ, MAP_SHARED | MAP_ANONYMOUS, 0, 1),                                                     \
    ANSWER(DENIED),                                                                                         \
    LOAD(nr),                                                                                               \
    COMPARE(BPF_JEQ, SYS_tgkill, 1, 0),                                                                     \
    COMPARE(BPF_JEQ, SYS_kill, 0, 4),                                                                       \
    LOAD(args[0]),                                                                                          \
    COMPARE(BPF_JEQ, (unsigned)(self), 1, 0),                                                               \
    ANSWER(DENIED),                                                                                         \
    ANSWER(SECCOMP_RET_ALLOW)

// A datagram goes to any socket without a connection, so there are only streams, and the host decides where they lead.
#define SOCKETS(refused, connecting)                                                                        \
    WHERE(SYS_connect, connecting),                                                                         \
    COMPARE(BPF_JEQ, SYS_socketpair, 1, 0),                                                                 \
    COMPARE(BPF_JEQ, SYS_socket, 0, 7),                                                                     \
    LOAD(args[0]),                                                                                          \
    COMPARE(BPF_JEQ, AF_UNIX, 1, 0),                                                                        \
    ANSWER(refused),                                                                                        \
    LOAD(args[1]),                                                                                          \
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, SOCKET_TYPE),                                                       \
    COMPARE(BPF_JEQ, SOCK_STREAM, 1, 0),                                                                    \
    ANSWER(SECCOMP_RET_ERRNO | EACCES)

enum { SOCKET_TYPE = 0xf };

static int install(const struct sock_filter *rules, unsigned short count, unsigned flags) {
    struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)rules};
    int result = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    return result < 0 ? -errno : result;
}

static int pass(int socket, int descriptor) {
    char byte = 0;
    struct iovec part = {&byte, 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *item = CMSG_FIRSTHDR(&message);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(item), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

int st_bar(int offline, int socket) {
    const struct sock_filter alone[] = {OTHERS(getpid()), ANSWER(SECCOMP_RET_ALLOW)};
    const struct sock_filter told[] = {OTHERS(getpid()), SOCKETS(SECCOMP_RET_USER_NOTIF, SECCOMP_RET_USER_NOTIF),
                                       ANSWER(SECCOMP_RET_ALLOW)};
    const struct sock_filter silent[] = {OTHERS(getpid()), SOCKETS(SECCOMP_RET_ERRNO | EACCES, SECCOMP_RET_ALLOW),
                                         ANSWER(SECCOMP_RET_ALLOW)};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
    if (!offline) return -install(alone, sizeof alone / sizeof *alone, 0);
    // With a descriptor that tells of each try, where the kernel has such; it is the parent's.
    int listener = install(told, sizeof told / sizeof *told, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (listener >= 0) {
        int result = pass(socket, listener);
        close(listener);
        return -result;
    }
    return -install(silent, sizeof silent / sizeof *silent, 0);
}

// Connects the child's socket to its host. The address is the host's own and not the child's, which could change it after
// it was looked at.
static int lead(int pidfd, int socket, const struct sockaddr_un *endpoint) {
    int copy = (int)syscall(SYS_pidfd_getfd, pidfd, socket, 0);
    if (copy < 0) return -errno;
    int flags = fcntl(copy, F_GETFL);
    // A queue of connections that is full must not hold the host.
    if (flags >= 0 && !(flags & O_NONBLOCK)) fcntl(copy, F_SETFL, flags | O_NONBLOCK);
    int result = connect(copy, (const struct sockaddr *)endpoint, sizeof *endpoint) ? -errno : 0;
    if (flags >= 0 && !(flags & O_NONBLOCK)) fcntl(copy, F_SETFL, flags);
    close(copy);
    return result;
}

// Whether the try is one to reach `endpoint`; where else it leads is written into `refusal`.
static int is_to(const struct sockaddr_un *endpoint, const struct seccomp_notif *told, pid_t pid,
                 struct st_refusal *refusal) {
    struct sockaddr_un wanted;
    memset(&wanted, 0, sizeof wanted);
    size_t size = told->data.args[2] < sizeof wanted ? (size_t)told->data.args[2] : sizeof wanted;
    struct iovec here = {&wanted, size}, there = {(void *)(uintptr_t)told->data.args[1], size};
    if (process_vm_readv((pid_t)told->pid, &here, 1, &there, 1, 0) != (ssize_t)size) return 0;
    refusal->family = wanted.sun_family;
    memcpy(refusal->path, wanted.sun_path, sizeof wanted.sun_path);
    char thread[64];
    snprintf(thread, sizeof thread, "/proc/%d/task/%u", (int)pid, told->pid);
    return wanted.sun_family == AF_UNIX && !access(thread, F_OK)
        && !strncmp(wanted.sun_path, endpoint->sun_path, sizeof wanted.sun_path);
}

int st_refusal_next(int listener, pid_t pid, int pidfd, const char *endpoint, struct st_refusal *refusal) {
    struct seccomp_notif_sizes sizes;
    union {
        struct seccomp_notif told;
        char room[1024]; // a later kernel may have more to say
    } notice;
    union {
        struct seccomp_notif_resp said;
        char room[1024];
    } answer;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes)) return -errno;
    if (sizes.seccomp_notif > sizeof notice || sizes.seccomp_notif_resp > sizeof answer) return -EMSGSIZE;
    memset(&notice, 0, sizeof notice);
    memset(&answer, 0, sizeof answer);
    memset(refusal, 0, sizeof *refusal);
    struct sockaddr_un own = {.sun_family = AF_UNIX};
    if (strlen(endpoint) >= sizeof own.sun_path) return -ENAMETOOLONG;
    strcpy(own.sun_path, endpoint);
    // Before 6.6 a kernel waits for ever where no process is left to ask.
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    if (poll(&waiting, 1, 0) != 1 || !(waiting.revents & POLLIN)) return -EPIPE;
    // Who asked may have been killed since.
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice)) return -errno;
    answer.said.id = notice.told.id;
    int is_led = notice.told.data.nr == SYS_connect && is_to(&own, &notice.told, pid, refusal);
    if (notice.told.data.nr != SYS_connect) refusal->family = (int)notice.told.data.args[0];
    answer.said.error = is_led ? lead(pidfd, (int)notice.told.data.args[0], &own) : -EACCES;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer)) return -errno;
    return !is_led;
}

#else

int st_bar(int offline, int socket) { return offline ? ENOSYS : 0; }

int st_refusal_next(int listener, pid_t pid, int pidfd, const char *endpoint, struct st_refusal *refusal) {
    return -ENOSYS;
}

#endif

int st_take_passed(int socket) {
    char byte;
    struct iovec part = {&byte, 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0) return -errno;
    struct cmsghdr *item = CMSG_FIRSTHDR(&message);
    if (!item || item->cmsg_type != SCM_RIGHTS) return -EBADMSG;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(item), sizeof descriptor);
    return descriptor;
}
