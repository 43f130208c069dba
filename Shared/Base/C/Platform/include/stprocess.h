#ifndef STPROCESS_H
#define STPROCESS_H

#include <stdint.h>
#include <sys/types.h>

// Processes, signals and the notify socket. Every function answers a negative errno when it fails, because errno
// itself may be overwritten before Swift reads it.

struct st_spawn_plan {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory; // or NULL
    const int *sources;    // descriptors of this process, -1 for /dev/null …
    const int *targets;    // … and the numbers they get in the child
    int count;
    int new_session;       // a session of its own rather than only a process group
    int tethered;          // killed when the thread that starts it ends; gets no other descriptor, however opened
    int bounded;           // of a tethered one: without a way into other processes …
    int offline;           // … and without a network, or any socket but the one to its host
    char *const *readable; // of a bounded one: the files and folders that it can read and run, ended by NULL …
    char *const *writable; // … and those that it can read and change
    int64_t data_bytes;    // of a tethered one: the most memory of its own that it can map, or 0
    int descriptors;       // of a tethered one: the most it can have open, or 0
    int tasks;             // of a tethered one: it starts no more once its account has so many processes and threads; or 0
};

// What became of `offline`.
struct st_spawn_offline {
    int refusals; // tells of each refusal and is the caller's to close; or a negative errno when nothing tells
    int problem;  // the errno with which the kernel refused to do it; 0 when it is done
};

// The pid, or a negative errno.
int st_spawn(const struct st_spawn_plan *plan, struct st_spawn_offline *offline);

// For st_spawn: `copies` are the sources, out of the way of every target. A positive errno, or 0.
int st_spawn_tethered(const struct st_spawn_plan *plan, const int *copies, struct st_spawn_offline *offline,
                      pid_t *pid);

// For st_spawn_tethered, in the child: a positive errno, or 0; what tells of refusals goes through the socket.
int st_bar(int offline, int socket);
// And in the parent: the descriptor that came through it, or a negative errno.
int st_take_passed(int socket);

// For st_spawn_tethered, in the child: a positive errno, or 0, also where the kernel has no Landlock.
int st_keep_within(char *const *readable, char *const *writable);
// The version of the kernel's Landlock, or 0.
int st_landlock_version(void);

// Where a program looks for its libraries besides the usual places, as in its file: `$ORIGIN` is its own folder, and
// colons stand between. The length, 0 when there is no such place, or a negative errno.
int st_library_path(const char *program, char *text, int size);

struct st_refusal {
    int family;
    char path[109]; // of a socket of another program, or empty
};

// Decides one try of the process. 1: refused, and told here; 0: it is connected to `endpoint`, as it asked; a negative
// errno when the try is gone again.
int st_refusal_next(int listener, pid_t pid, int pidfd, const char *endpoint, struct st_refusal *refusal);

// Processes whose parent has died become children of this process rather than of init.
int st_adopt_orphans(void);

// Keeps other processes of the account out of this one's memory and descriptors.
int st_close_memory(void);

// Creates a file in memory without a path. After `st_seal`, nothing can change its contents.
int st_memory_file(const char *name);
int st_seal(int fd);

// Writes the peer address of a TCP connection: 4 bytes, or the first 8 bytes of an IPv6 address. Returns the number of bytes, or 0 if
// the socket is not a TCP connection.
int st_tcp_peer(int fd, unsigned char address[16], unsigned short *port);

int st_pidfd_open(pid_t pid);
int st_pidfd_signal(int pidfd, int signal);

// 1: ended and reaped; 0: still running. `signaled` is the signal that ended it, or 0.
int st_reap(pid_t pid, int *code, int *signaled);

// 1 when the child has ended and waits to be reaped, 0 when it runs.
int st_has_ended(pid_t pid);

// "KILL" for 9, or NULL.
const char *st_signal_name(int signal);

// A descriptor that becomes readable when one of the signals came, which are blocked in the calling thread.
int st_signalfd(const int *signals, int count);
int st_signalfd_next(int fd);

int st_pipe(int *read_end, int *write_end);
int st_set_nonblocking(int fd);
int st_set_cloexec(int fd);

// A bound unix datagram socket that says who sends.
int st_notify_open(const char *path);

// The length of one datagram, with the sender's pid and uid as the kernel knows them.
int st_notify_receive(int fd, void *buffer, int size, pid_t *pid, uid_t *uid);

// Lets go of the pages of code that are mapped: what is used again comes back from the page cache. Only code, which is never
// written to, so nothing is lost.
void st_release_code(void);

/// Whether the file of this program gave it a right that its account does not have.
int st_is_privileged(void);

#endif
