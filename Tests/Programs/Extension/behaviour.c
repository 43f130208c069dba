#define _GNU_SOURCE
#include "behaviour.h"

#include <fcntl.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20 };

int ends_when_asked = 1;

static int is(const char *text, const char *word) { return !strcmp(text, word); }

static void rest(int ms) { usleep((useconds_t)ms * 1000); }

static void print(const char *text) {
    puts(text);
    fflush(stdout);
}

// Writes every page, so that the memory is really there.
static char *touched(int megabytes) {
    char *memory = mmap(NULL, (size_t)megabytes * MEGABYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t at = 0; at < (size_t)megabytes * MEGABYTE; at += 4096) memory[at] = 1;
    return memory;
}

void begin(const char *how, const char *self) {
    const char *app = getenv("SCREENTIME_APP");
    if (is(how, "silent")) while (1) pause();
    if (is(how, "memory")) {
        // As fast as it can, before it says a word.
        for (int part = 0; part < 2048; part++) {
            char *more = malloc(1 << 20);
            if (!more) break;
            memset(more, 1, 1 << 20);
        }
    }
    if (is(how, "exit")) {
        fputs("no luck today\n", stderr);
        exit(3);
    }
    if (is(how, "version")) say_hello(99, app);
    else if (is(how, "otherapp")) say_hello(1, "somebody.else");
    else if (is(how, "garbage")) say("\x01\x02\xff", "\xfe");
    else if (is(how, "badjson")) say("hello", "{\"protocol\":");
    else if (is(how, "early")) say_returned();
    else if (is(how, "slow")) {
        rest(300);
        say_hello(1, app);
    } else if (is(how, "pretended")) {
        // Another app says hello first, and a wrong hello comes too. Where the kernel refuses it the socket, it never ends.
        if (fork() == 0) execl(self, self, "pretender", NULL);
        rest(300);
        say_hello(1, app);
    } else if (is(how, "pretender")) {
        say_hello(99, "somebody.else");
        say_returned();
        leave(0);
    } else if (is(how, "deaf")) {
        signal(SIGTERM, SIG_IGN);
        ends_when_asked = 0;
        say_hello(1, app);
    } else say_hello(1, app);
}

static void leave_behind(int sessions, int generations) {
    pid_t child = fork();
    if (child) {
        if (generations > 1) waitpid(child, NULL, 0);
        return;
    }
    if (sessions) setsid();
    if (generations > 1 && fork()) _exit(0);
    // Not our host's pipes: a test reads them to their end.
    printf("left behind %d\n", getpid());
    fflush(stdout);
    signal(SIGTERM, SIG_IGN);
    while (1) pause();
}

static void use_file(int ms) {
    char path[] = "/var/tmp/st-file-XXXXXX";
    int file = mkstemp(path);
    unlink(path);
    static char block[MEGABYTE];
    for (int i = 0; i < 20; i++)
        if (write(file, block, sizeof block) < 0) return;
    // Pages that are not on the disk yet are dirty for every process that maps them.
    fsync(file);
    char *memory = mmap(NULL, 20 * MEGABYTE, PROT_READ, MAP_PRIVATE, file, 0);
    volatile char sum = 0;
    for (size_t at = 0; at < 20 * MEGABYTE; at += 4096) sum += memory[at];
    if (ms) rest(ms);
    munmap(memory, 20 * MEGABYTE);
    close(file);
}

static void use_memory(const char *activity) {
    if (is(activity, "hold20")) {
        char *memory = touched(20);
        rest(300);
        munmap(memory, 20 * MEGABYTE);
    } else if (is(activity, "spike20")) {
        munmap(touched(20), 20 * MEGABYTE);
    } else if (is(activity, "small")) {
        munmap(touched(2), 2 * MEGABYTE);
    } else if (is(activity, "file20")) use_file(50);
    else if (is(activity, "file20-short")) use_file(0);
}

static void write_much(void) {
    char line[1024];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 1024; i++)
        if (write(1, line, sizeof line) < 0) break;
}

static void log_things(void) {
    const char *line = "{\"level\":\"notice\",\"subsystem\":\"own\",\"category\":\"test\",\"text\":\"a log line\"}\n";
    if (write(3, line, strlen(line)) < 0) return;
    print("a printed line");
    fputs("an error line\n", stderr);
    if (write(1, "unfinished", 10) < 0) return;
}

static void note(const char *id, int attempt) {
    const char *given = getenv("ST_TEST_FILE");
    const char *state = getenv("SCREENTIME_STATE");
    char path[512];
    // By default in the containers of groups.
    snprintf(path, sizeof path, "%s%s", given ? given : state, given ? "" : "/groups/notes");
    char line[256];
    int length = snprintf(line, sizeof line, "%s %d\n", id, attempt);
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (write(file, line, (size_t)length) < 0) exit(8);
    close(file);
}

// An effect in a service, and one in a file of its own.
static void set(const char *id, int attempt) {
    char body[256];
    note(id, attempt);
    // Time enough for a test to kill a process in between.
    rest(5);
    snprintf(body, sizeof body, "{\"store\":\"main\",\"settings\":{\"shield.applications\":[{\"id\":\"%s\"}]}}", id);
    ask("settings.set", body);
    rest(5);
}

// When the call came in, on a clock that is the same in all processes.
static void stamp(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    printf("at %lld\n", (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
    fflush(stdout);
}

// What time it takes it for, and where.
static void tell_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("wall %lld %s\n", (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000, getenv("TZ"));
    fflush(stdout);
}

// The error of a try to connect to a socket of a service beside the host, such as auth-service/rpc; 0 if it is connected.
static int reach(const char *service) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *host = getenv("SCREENTIME_HOST") + strlen("ipc://");
    snprintf(address.sun_path, sizeof address.sun_path, "%.*s/%s/rpc", (int)(strstr(host, "/extensions/") - host), host,
             service);
    int made = socket(AF_UNIX, SOCK_STREAM, 0);
    int problem = made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) ? errno : 0;
    if (made >= 0) close(made);
    return problem;
}

// Which sockets it can have: the error of each try.
static void open_sockets(void) {
    const int families[] = {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET};
    const char *services[] = {"auth-service", "activity-center", "monitor-runner", "shield-service"};
    printf("families");
    for (int i = 0; i < 4; i++) {
        int made = socket(families[i], i < 2 ? SOCK_STREAM : SOCK_RAW, 0);
        printf(" %d", made < 0 ? errno : 0);
        if (made >= 0) close(made);
    }
    printf(" services");
    for (int i = 0; i < 4; i++) printf(" %d", reach(services[i]));
    print("");
}

// True when the call is not to be answered in the usual way.
static int misbehave(const char *activity, int attempt, const char *id) {
    if (is(activity, "note-crash-once") && attempt == 1) note(id, attempt);
    if (is(activity, "crash") || (strstr(activity, "crash-once") && attempt == 1)) {
        fputs("about to fall\n", stderr);
        abort();
    }
    if (is(activity, "exit")) exit(7);
    if (is(activity, "hang")) while (1) pause();
    if (is(activity, "garbage")) say("nonsense", "\xff");
    if (is(activity, "badjson")) say("returned", "{\"id\":");
    if (is(activity, "twice")) say_hello(1, getenv("SCREENTIME_APP"));
    if (is(activity, "settled-first")) say_settled();
    if (is(activity, "output")) write_much();
    if (is(activity, "unsettled")) say_returned();
    if (is(activity, "other-call")) say("returned", "{\"id\":\"another\"}");
    const char *silent[] = {"garbage", "badjson", "twice", "settled-first", "output", "unsettled", "other-call"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (is(activity, silent[i])) return 1;
    return 0;
}

void take(const char *activity, int attempt, const char *id) {
    if (misbehave(activity, attempt, id)) return;
    use_memory(activity);
    if (is(activity, "log")) log_things();
    if (is(activity, "note") || is(activity, "note-crash-once")) note(id, attempt);
    if (is(activity, "fork")) leave_behind(0, 1);
    if (is(activity, "setsid")) leave_behind(1, 1);
    if (is(activity, "daemon")) leave_behind(1, 2);
    if (is(activity, "ask")) {
        ask("settings.set", "{\"app\":\"somebody.else\",\"member\":\"kid\",\"store\":\"main\",\"settings\":{\"a\":1}}");
        ask("usage.list", "{}");
        ask("activity.list", "{}");
    }
    if (is(activity, "sockets")) open_sockets();
    if (is(activity, "set")) set(id, attempt);
    if (is(activity, "stamp")) stamp();
    if (is(activity, "time")) tell_time();
    say_returned();
    if (is(activity, "async")) rest(100);
    /* Longer than the host waits before it cuts it off, also on a busy machine. */
    if (is(activity, "async-long")) rest(30000);
    say_settled();
    if (is(activity, "exit-after")) {
        rest(100);
        exit(5);
    }
    if (is(activity, "exit-at-once")) leave(5);
    if (is(activity, "ask-late")) {
        rest(50);
        ask("activity.list", "{}");
    }
}
