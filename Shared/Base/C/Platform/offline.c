#define _GNU_SOURCE
#include "stprocess.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// A child without a network and without a way into other processes: the kernel refuses every socket that is not one of
// this machine alone, and what reaches into others. No root is needed, as the child can gain no privileges any more, and
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
// any but itself. A family and a number of a process are ints, the lower half of what is passed.
#define RULES(refused, self)                                                                                \
    {                                                                                                       \
        LOAD(arch),                                                                                         \
        COMPARE(BPF_JEQ, NATIVE, 1, 0),                                                                     \
        ANSWER(ABSENT),                                                                                     \
        LOAD(nr),                                                                                           \
        COMPARE(BPF_JGE, X32_BIT, 0, 1),                                                                    \
        ANSWER(ABSENT),                                                                                     \
        WHERE(SYS_io_uring_setup, ABSENT),                                                                  \
        WHERE(SYS_pidfd_getfd, DENIED),                                                                     \
        WHERE(SYS_ptrace, DENIED),                                                                          \
        WHERE(SYS_process_vm_readv, DENIED),                                                                \
        WHERE(SYS_process_vm_writev, DENIED),                                                               \
        WHERE(SYS_keyctl, DENIED),                                                                          \
        WHERE(SYS_add_key, DENIED),                                                                         \
        WHERE(SYS_request_key, DENIED),                                                                     \
        WHERE(SYS_bpf, DENIED),                                                                             \
        WHERE(SYS_userfaultfd, DENIED),                                                                     \
        WHERE(SYS_perf_event_open, DENIED),                                                                 \
        WHERE(SYS_unshare, DENIED),                                                                         \
        WHERE(SYS_setns, DENIED),                                                                           \
        WHERE(SYS_tkill, DENIED),                                                                           \
        WHERE(SYS_rt_sigqueueinfo, DENIED),                                                                 \
        WHERE(SYS_rt_tgsigqueueinfo, DENIED),                                                               \
        WHERE(SYS_pidfd_send_signal, DENIED),                                                               \
        COMPARE(BPF_JEQ, SYS_tgkill, 1, 0),                                                                 \
        COMPARE(BPF_JEQ, SYS_kill, 0, 4),                                                                   \
        LOAD(args[0]),                                                                                      \
        COMPARE(BPF_JEQ, (unsigned)(self), 1, 0),                                                           \
        ANSWER(DENIED),                                                                                     \
        ANSWER(SECCOMP_RET_ALLOW),                                                                          \
        COMPARE(BPF_JEQ, SYS_socket, 0, 3),                                                                 \
        LOAD(args[0]),                                                                                      \
        COMPARE(BPF_JEQ, AF_UNIX, 1, 0),                                                                    \
        ANSWER(refused),                                                                                    \
        ANSWER(SECCOMP_RET_ALLOW),                                                                          \
    }

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

int st_go_offline(int socket) {
    const struct sock_filter told[] = RULES(SECCOMP_RET_USER_NOTIF, getpid());
    const struct sock_filter silent[] = RULES(SECCOMP_RET_ERRNO | EACCES, getpid());
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
    // With a descriptor that tells of each refusal, where the kernel has such; it is the parent's.
    int listener = install(told, sizeof told / sizeof *told, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (listener >= 0) {
        int result = pass(socket, listener);
        close(listener);
        return -result;
    }
    return -install(silent, sizeof silent / sizeof *silent, 0);
}

int st_refusal_next(int listener, int *family) {
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
    // Before 6.6 a kernel waits for ever where nobody is left to ask.
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    if (poll(&waiting, 1, 0) != 1 || !(waiting.revents & POLLIN)) return -EPIPE;
    // Who asked may have been killed since.
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice)) return -errno;
    *family = (int)notice.told.data.args[0];
    answer.said.id = notice.told.id;
    answer.said.error = -EACCES;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) ? -errno : 0;
}

#else

int st_go_offline(int socket) { return ENOSYS; }

int st_refusal_next(int listener, int *family) { return -ENOSYS; }

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
