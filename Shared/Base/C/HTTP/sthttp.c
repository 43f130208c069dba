#define _GNU_SOURCE
#include "sthttp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

struct MHD_Daemon *st_http_start(
    int listener, unsigned connections, unsigned idle_seconds, st_http_accept accepts,
    st_http_answer answers, MHD_RequestCompletedCallback completed, void *context) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, accepts, context, answers, context,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_END);
}

const enum MHD_Result st_http_yes = MHD_YES;
const enum MHD_Result st_http_no = MHD_NO;

const char *st_http_header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

const char *st_http_argument(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

struct MHD_Response *st_http_whole(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *st_http_endless(
    ssize_t (*read)(void *, uint64_t, char *, size_t), void (*gone)(void *), void *context) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read, context, gone);
}

void st_http_keep(struct MHD_Connection *connection) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
}

static struct sockaddr_in loopback(uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int st_http_listen(uint16_t port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -errno;
    int yes = 1;
    struct sockaddr_in address = loopback(port);
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 128) == 0)
        return listener;
    int error = errno;
    close(listener);
    return -error;
}

uint16_t st_http_port(int listener) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return 0;
    return ntohs(address.sin_port);
}

// Asks for the socket at the other end: there the peer is the source and this server the destination.
int64_t st_http_peer(const struct sockaddr *peer, uint16_t port) {
    if (peer->sa_family != AF_INET) return -1;
    const struct sockaddr_in *source = (const struct sockaddr_in *)peer;
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } question = {
        .head = {.nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .body = {.sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u}};
    question.body.id.idiag_sport = source->sin_port;
    question.body.id.idiag_dport = htons(port);
    question.body.id.idiag_src[0] = source->sin_addr.s_addr;
    question.body.id.idiag_dst[0] = htonl(INADDR_LOOPBACK);
    question.body.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
    question.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    int kernel = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (kernel < 0) return -1;
    struct timeval patience = {.tv_sec = 1};
    setsockopt(kernel, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    int64_t uid = -1;
    union {
        struct nlmsghdr head;
        char bytes[8192];
    } answer;
    if (send(kernel, &question, sizeof question, 0) == (ssize_t)sizeof question) {
        ssize_t count = recv(kernel, &answer, sizeof answer, 0);
        if (count >= (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg)) && NLMSG_OK(&answer.head, (unsigned)count) &&
            answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY) {
            const struct inet_diag_msg *found = NLMSG_DATA(&answer.head);
            uid = found->idiag_uid;
        }
    }
    close(kernel);
    return uid;
}
