#define _GNU_SOURCE
#include "sthttp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct MHD_Daemon *st_http_start(
    int listener, const char *key, const char *certificate, unsigned connections, unsigned idle_seconds,
    st_http_accept accepts, st_http_answer answers, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback notified, void *context) {
    struct MHD_OptionItem secrets[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)notified, context},
        {MHD_OPTION_END, 0, NULL}};
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (key ? MHD_USE_TLS : 0);
    return MHD_start_daemon(
        flags, 0, accepts, context, answers, context, MHD_OPTION_ARRAY, key ? secrets : secrets + 3,
        MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_END);
}

int st_tls_make(const char *host, int64_t days, char *key, size_t *key_size, char *certificate, size_t *certificate_size) {
    gnutls_x509_privkey_t private = NULL;
    gnutls_x509_crt_t made = NULL;
    unsigned char serial[16];
    struct in6_addr address;
    time_t now = time(NULL);
    int result = gnutls_x509_privkey_init(&private);
    if (result >= 0) result = gnutls_x509_crt_init(&made);
    if (result >= 0)
        result = gnutls_x509_privkey_generate(private, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
    if (result >= 0) result = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial);
    serial[0] = (serial[0] & 0x7f) | 1;
    if (result >= 0) result = gnutls_x509_crt_set_version(made, 3);
    if (result >= 0) result = gnutls_x509_crt_set_serial(made, serial, sizeof serial);
    // A phone's clock may be a little behind.
    if (result >= 0) result = gnutls_x509_crt_set_activation_time(made, now - 86400);
    if (result >= 0) result = gnutls_x509_crt_set_expiration_time(made, now + days * 86400);
    if (result >= 0) result = gnutls_x509_crt_set_dn(made, "CN=Screen Time", NULL);
    if (result >= 0 && inet_pton(AF_INET, host, &address) == 1)
        result = gnutls_x509_crt_set_subject_alt_name(made, GNUTLS_SAN_IPADDRESS, &address, 4, GNUTLS_FSAN_SET);
    else if (result >= 0 && inet_pton(AF_INET6, host, &address) == 1)
        result = gnutls_x509_crt_set_subject_alt_name(made, GNUTLS_SAN_IPADDRESS, &address, 16, GNUTLS_FSAN_SET);
    else if (result >= 0)
        result = gnutls_x509_crt_set_subject_alt_name(made, GNUTLS_SAN_DNSNAME, host, strlen(host), GNUTLS_FSAN_SET);
    if (result >= 0) result = gnutls_x509_crt_set_basic_constraints(made, 0, -1);
    if (result >= 0) result = gnutls_x509_crt_set_key_usage(made, GNUTLS_KEY_DIGITAL_SIGNATURE);
    if (result >= 0) result = gnutls_x509_crt_set_key_purpose_oid(made, GNUTLS_KP_TLS_WWW_SERVER, 0);
    if (result >= 0) result = gnutls_x509_crt_set_key(made, private);
    if (result >= 0) result = gnutls_x509_crt_sign2(made, made, private, GNUTLS_DIG_SHA256, 0);
    if (result >= 0) result = gnutls_x509_privkey_export(private, GNUTLS_X509_FMT_PEM, key, key_size);
    if (result >= 0) result = gnutls_x509_crt_export(made, GNUTLS_X509_FMT_PEM, certificate, certificate_size);
    if (made) gnutls_x509_crt_deinit(made);
    if (private) gnutls_x509_privkey_deinit(private);
    return result < 0 ? result : 0;
}

const char *st_tls_problem(int code) { return gnutls_strerror(code); }

int st_tls_look(const char *certificate, unsigned char fingerprint[32], int64_t *until) {
    gnutls_x509_crt_t read = NULL;
    gnutls_datum_t text = {(unsigned char *)certificate, strlen(certificate)};
    size_t size = 32;
    int result = gnutls_x509_crt_init(&read);
    if (result >= 0) result = gnutls_x509_crt_import(read, &text, GNUTLS_X509_FMT_PEM);
    if (result >= 0) result = gnutls_x509_crt_get_fingerprint(read, GNUTLS_DIG_SHA256, fingerprint, &size);
    if (result >= 0) *until = gnutls_x509_crt_get_expiration_time(read);
    if (read) gnutls_x509_crt_deinit(read);
    return result < 0 ? result : 0;
}

int st_http_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
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

static int listening(int family, const struct sockaddr *address, socklen_t length) {
    int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -errno;
    int yes = 1, no = 0;
    if (family == AF_INET6) setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(listener, address, length) == 0 && listen(listener, 128) == 0)
        return listener;
    int error = errno;
    close(listener);
    return -error;
}

int st_http_listen(uint16_t port) {
    struct sockaddr_in address = loopback(port);
    return listening(AF_INET, (struct sockaddr *)&address, sizeof address);
}

int st_http_listen_open(uint16_t port) {
    struct sockaddr_in6 both = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_ANY_INIT};
    int listener = listening(AF_INET6, (struct sockaddr *)&both, sizeof both);
    // Without IPv6 in this kernel.
    if (listener != -EAFNOSUPPORT && listener != -EADDRNOTAVAIL) return listener;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    return listening(AF_INET, (struct sockaddr *)&address, sizeof address);
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
