#define _GNU_SOURCE
#include "reports.h"
#include "behaviour.h"

#include <signal.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// An extension of reports. What it does is said by the context.

static const char *contexts =
    "[\"total\",\"nothing\",\"endless\",\"greedy\",\"crash\",\"exit\",\"net\",\"huge\",\"long\",\"deep\",\"wide\",\"other\","
    "\"orphan\",\"warm\",\"waits\",\"garbage\",\"markup\"]";

static int is(const char *text, const char *word) { return !strcmp(text, word); }

int is_for_reports(void) {
    const char *point = getenv("SCREENTIME_POINT");
    return point && strstr(point, "report-extension");
}

static void returned(const char *id, const char *result) {
    size_t size = strlen(result) + 512;
    char *body = malloc(size);
    snprintf(body, size, "{\"id\":\"%s\",\"result\":%s}", id, result);
    say("returned", body);
    free(body);
}

static void nodes(const char *id, const char *nodes) {
    size_t size = strlen(nodes) + 2048;
    char *result = malloc(size);
    snprintf(result, size,
             "{\"contexts\":%s,\"page\":{\"language\":\"en\",\"controls\":[],\"variants\":[{\"chosen\":[],\"nodes\":[%s]}]}}",
             contexts, nodes);
    returned(id, result);
    free(result);
}

static void text(const char *id, const char *text) {
    size_t size = strlen(text) + 256;
    char *node = malloc(size);
    snprintf(node, size, "{\"kind\":\"text\",\"runs\":[{\"text\":\"%s\"}]}", text);
    nodes(id, node);
    free(node);
}

static void long_text(const char *id, size_t size) {
    char *letters = malloc(size + 1);
    memset(letters, 'x', size);
    letters[size] = 0;
    text(id, letters);
    free(letters);
}

// So many of one thing, and a text.
static void many(const char *id, const char *node, int count) {
    char *list = malloc(strlen(node) * (size_t)count + 64);
    char *end = list;
    for (int i = 0; i < count; i++) end = stpcpy(end, node);
    strcpy(end, "{\"kind\":\"text\",\"runs\":[{\"text\":\"x\"}]}");
    nodes(id, list);
    free(list);
}

// The filter as it came in the call.
static void filter(const char *call, char *into, size_t size) {
    const char *start = strstr(call, "\"filter\":{");
    into[0] = 0;
    if (!start) return;
    start += strlen("\"filter\":");
    int depth = 0;
    size_t length = 0;
    do {
        if (start[length] == '{') depth++;
        if (start[length] == '}') depth--;
        length++;
    } while (depth > 0 && start[length]);
    if (length >= size) return;
    memcpy(into, start, length);
    into[length] = 0;
}

static const char *data(const char *call) {
    static char body[8192];
    char asked[4096];
    filter(call, asked, sizeof asked);
    // Another app and another member than its own, which its host sees to.
    snprintf(body, sizeof body, "{\"app\":\"somebody.else\",\"member\":\"somebody\",\"filter\":%s}", asked);
    return ask_for("report.data", body);
}

static void total(const char *call, const char *id) {
    const char *answer = data(call);
    const char *used = strstr(answer, "\"used_ms\":");
    char line[256];
    snprintf(line, sizeof line, "used %lld ms", used ? atoll(used + strlen("\"used_ms\":")) : -1);
    text(id, line);
}

static int refused(int family) {
    int made = socket(family, SOCK_STREAM, 0);
    int problem = made < 0 ? errno : 0;
    if (made >= 0) close(made);
    return problem;
}

static void network(const char *id) {
    char line[256];
    syscall(SYS_io_uring_setup, 1, NULL);
    int ring = errno;
    // Nor may it look into another process, or take its sockets.
    char byte;
    struct iovec part = {&byte, 1};
    pid_t parent = getppid();
    syscall(SYS_process_vm_readv, parent, &part, 1UL, &part, 1UL, 0UL);
    int looked = errno;
    syscall(SYS_ptrace, 0x4206 /* PTRACE_SEIZE */, parent, NULL, NULL);
    int traced = errno;
    errno = 0;
    syscall(SYS_pidfd_getfd, -1, 0, 0);
    int taken = errno;
    errno = 0;
    kill(parent, 0);
    int killed = errno;
    errno = 0;
    kill(getpid(), 0);
    int own = errno;
    syscall(SYS_keyctl, 0, -3, 0, 0, 0);
    int keys = errno;
    syscall(SYS_bpf, 0, NULL, 0);
    int bpf = errno;
    syscall(SYS_userfaultfd, 0);
    int faults = errno;
    syscall(SYS_unshare, 0);
    int rooms = errno;
    // Nor make memory that no limit of a process counts.
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int shared = errno;
    syscall(SYS_memfd_create, "memory", 0U);
    int file = errno;
    syscall(SYS_shmget, 0, 4096UL, 0600);
    int segment = errno;
    snprintf(line, sizeof line,
             "inet %d inet6 %d netlink %d unix %d ring %d look %d trace %d take %d kill %d own %d keys %d bpf %d "
             "faults %d rooms %d shared %d file %d segment %d",
             refused(AF_INET), refused(AF_INET6), refused(AF_NETLINK), refused(AF_UNIX), ring, looked, traced, taken,
             killed, own, keys, bpf, faults, rooms, shared, file, segment);
    text(id, line);
}

static void hold(size_t bytes) {
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
    usleep(500000);
}

// Until the test puts a file there, or the host loses its patience.
static void await_word(void) {
    char path[512];
    snprintf(path, sizeof path, "%s/report-may-end", getenv("SCREENTIME_STATE"));
    puts("waiting");
    fflush(stdout);
    while (access(path, F_OK)) usleep(5000);
}

static void make(const char *call, const char *context, const char *id) {
    char line[64];
    if (is(context, "total")) return total(call, id);
    if (is(context, "crash")) {
        fputs("the report falls\n", stderr);
        abort();
    }
    if (is(context, "exit")) exit(3);
    if (is(context, "endless")) while (1) pause();
    if (is(context, "greedy")) hold((size_t)200 << 20);
    if (is(context, "net")) return network(id);
    if (is(context, "huge")) return long_text(id, 10 << 20);
    if (is(context, "long")) return long_text(id, 500 << 10);
    if (is(context, "deep")) return many(id, "{\"kind\":\"vertical\",\"count\":1},", 10000);
    if (is(context, "wide")) return many(id, "{\"kind\":\"divider\"},", 20000);
    if (is(context, "garbage")) return returned(id, "{\"contexts\":7}");
    if (is(context, "markup")) return text(id, "<script>alert(1)</script>");
    if (is(context, "other")) return text(id, strstr(ask_for("settings.list", "{}"), "access.denied") ? "denied" : "got");
    if (is(context, "orphan") && fork() == 0) {
        setsid();
        while (1) pause();
    }
    if (is(context, "waits")) {
        await_word();
        return total(call, id);
    }
    if (is(context, "warm") || is(context, "orphan")) {
        snprintf(line, sizeof line, "pid %d", getpid());
        return text(id, line);
    }
    // Nothing of that name, or nothing to show.
    char result[2048];
    snprintf(result, sizeof result, "{\"contexts\":%s}", contexts);
    returned(id, result);
}

void take_report(const char *call, const char *id) {
    char context[256];
    member(call, "context", context, sizeof context);
    printf("asked for %s\n", context[0] ? context : "the list");
    fflush(stdout);
    make(call, context, id);
    say_settled();
}
