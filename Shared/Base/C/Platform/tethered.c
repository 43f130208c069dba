#define _GNU_SOURCE
#include "stprocess.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A start that posix_spawn cannot do: a child that is killed when the thread that started it ends. Done as posix_spawn
// does it inside: the child borrows our memory until it has become the other program, so it may only make system
// calls, and every signal is blocked so that no handler runs in it.

struct words { // from the child to its parent
    volatile int failure;
    volatile int offline;
};

static void become(const struct st_spawn_plan *plan, const int *copies, pid_t parent, int socket, struct words *words) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(number, &usual, NULL); // refused for a few, which are as they must be
    }
    if (plan->new_session ? setsid() < 0 : setpgid(0, 0) < 0) goto failed;
    // As POSIX_SPAWN_RESETIDS; not after the next line, which a change of ids undoes.
    if (setegid(getgid()) || seteuid(getuid())) goto failed;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) goto failed;
    if (getppid() != parent) _exit(127); // it died before the line above
    // A huge page counts 2 MB for the first byte in it, which no budget of a few megabytes survives.
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    if (plan->data_bytes) {
        struct rlimit data = {(rlim_t)plan->data_bytes, (rlim_t)plan->data_bytes};
        if (setrlimit(RLIMIT_DATA, &data)) goto failed;
    }
    if (plan->tasks) {
        struct rlimit tasks = {(rlim_t)plan->tasks, (rlim_t)plan->tasks};
        if (setrlimit(RLIMIT_NPROC, &tasks)) goto failed;
    }
    // Before the targets, one of which may have the number of this socket.
    if (plan->bounded) {
        int problem = st_keep_within(plan->readable, plan->writable);
        if (problem) {
            words->failure = problem;
            _exit(127);
        }
        words->offline = st_bar(plan->offline, socket);
    }
    for (int i = 0; i < plan->count; i++)
        if (dup2(copies[i], plan->targets[i]) < 0) goto failed;
    // What a library has opened without close-on-exec; a kernel before 5.9 does not know the call.
    unsigned above = 3;
    for (int i = 0; i < plan->count; i++)
        if (plan->targets[i] >= (int)above) above = (unsigned)plan->targets[i] + 1;
    syscall(SYS_close_range, above, ~0U, 0);
    if (plan->directory && chdir(plan->directory)) goto failed;
    // Not before: until the line above it holds all of its parent's, which may be more.
    if (plan->descriptors) {
        struct rlimit files = {(rlim_t)plan->descriptors, (rlim_t)plan->descriptors};
        if (setrlimit(RLIMIT_NOFILE, &files)) goto failed;
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(plan->path, plan->arguments, plan->environment);
failed:
    words->failure = errno;
    _exit(127);
}

int st_spawn_tethered(const struct st_spawn_plan *plan, const int *copies, struct st_spawn_offline *offline,
                      pid_t *pid) {
    int ends[2] = {-1, -1};
    if (plan->offline && socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends)) return errno;
    sigset_t all, before;
    sigfillset(&all);
    int result = pthread_sigmask(SIG_SETMASK, &all, &before);
    struct words words = {0, 0};
    pid_t child = -1;
    if (!result) {
        pid_t parent = getpid();
        child = vfork();
        if (child == 0) become(plan, copies, parent, ends[1], &words);
        result = child < 0 ? errno : words.failure;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (child > 0 && result) {
            int status;
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        }
    }
    if (plan->offline) {
        offline->problem = words.offline;
        offline->refusals = result ? -ECHILD : st_take_passed(ends[0]);
        close(ends[0]);
        close(ends[1]);
    }
    *pid = child;
    return result;
}

int st_close_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ? -errno : 0; }

int st_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) ? -errno : 0; }
