import Glibc
import STCHTTP
package import STPlatform
import Synchronization

/// A request of a browser, with its whole body.
package struct PageRequest: Sendable {
    package var method: String
    package var path: String
    /// The parameters by name. Only the names that pages use are read.
    package var query: [String: String] = [:]
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []
}

package struct PageReply: Sendable {
    package enum Body: Sendable {
        case whole([UInt8])
        /// Lasts until the browser disconnects.
        case live(LiveStream)
    }

    package var status: UInt32 = 200
    package var headers: [String: String] = [:]
    package var body: Body
    /// True if the request authenticated its sender. Its connection is then not closed to make room for others.
    package var isAuthenticated = false
}

/// A key and a self-signed certificate, as PEM.
package struct PageCertificate: Sendable, Equatable {
    private static let days: Int64 = 800
    private static let textBytesMax = 8_192

    package var key: String
    package var certificate: String

    package init(key: String, certificate: String) {
        self.key = key
        self.certificate = certificate
    }

    /// Creates a key and a certificate for a host. Apple's phones accept none that is valid for more than 825 days.
    package init(for host: String) throws(Problem) {
        var (keyBytes, certificateBytes) = (Self.textBytesMax, Self.textBytesMax)
        var keyText = [CChar](repeating: 0, count: keyBytes)
        var certificateText = [CChar](repeating: 0, count: certificateBytes)
        let code = st_tls_make(host, Self.days, &keyText, &keyBytes, &certificateText, &certificateBytes)
        guard code == 0 else { throw Self.problem(code) }
        key = Self.text(keyText.prefix(keyBytes))
        certificate = Self.text(certificateText.prefix(certificateBytes))
    }

    private static func text(_ bytes: ArraySlice<CChar>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func problem(_ code: Int32) -> Problem {
        Problem(
            "page.no_certificate",
            """
            The certificate for phones could not be created or read: \
            \(String(cString: st_tls_problem(code)), "reason"). Try again.
            """
        )
    }

    /// Returns the certificate's SHA-256 hash, and the end of its validity in wall time.
    package func inspect() throws(Problem) -> (fingerprint: [UInt8], untilMs: Int64) {
        var fingerprint = [UInt8](repeating: 0, count: 32)
        var seconds: Int64 = 0
        let code = st_tls_look(certificate, &fingerprint, &seconds)
        guard code == 0 else { throw Self.problem(code) }
        return (fingerprint, seconds * 1_000)
    }
}

/// An HTTP server with libmicrohttpd: at 127.0.0.1 for programs of this account only, or with a certificate for all.
///
/// Accepts requests up to a size, and calls `reply` once for each.
package final class PageServer: Sendable {
    private static let bodyBytesMax = 64 * 1024
    private static let connectionsMax: UInt32 = 1_024
    private static let idleSeconds: UInt32 = 20
    /// Time limits for connections from the network: for the first request, and from the end of one request to the end of the next.
    private static let firstTimeout = Duration.seconds(10)
    private static let nextTimeout = Duration.seconds(30)
    private static let sweepEvery: Duration = .seconds(1)
    private static let headerNames = [
        "host", "origin", "cookie", "content-type", "content-length", "sec-fetch-site", "x-screen-time",
    ]
    private static let queryNames = ["request", "language", "link", "form", "app", "to", "known"]

    package let port: UInt16
    private let certificate: PageCertificate?
    private let listener: OwnedDescriptor
    private let reply: @Sendable (PageRequest) async -> PageReply
    /// Connections from the network. The lock is held while a descriptor is shut down, so that libmicrohttpd cannot close it
    /// meanwhile.
    private let connections = Mutex(ConnectionLimiter(unknownMax: 128, ofAddressMax: 48))

    /// Serves this account. If the wanted port is in use, another one is used.
    package convenience init(
        port wanted: UInt16,
        _ reply: @escaping @Sendable (PageRequest) async -> PageReply
    ) throws(Problem) {
        var number = st_http_listen(wanted)
        if number < 0, wanted != 0 { number = st_http_listen(0) }
        try self.init(listener: number, nil, reply)
    }

    /// Serves all clients, or only those on this computer if `isLocal` is true.
    package convenience init(
        port: UInt16,
        _ certificate: PageCertificate,
        isLocal: Bool,
        _ reply: @escaping @Sendable (PageRequest) async -> PageReply
    ) throws(Problem) {
        let number = isLocal ? st_http_listen(port) : st_http_listen_open(port)
        try self.init(listener: number, certificate, reply)
    }

    private init(
        listener number: Int32,
        _ certificate: PageCertificate?,
        _ reply: @escaping @Sendable (PageRequest) async -> PageReply
    ) throws(Problem) {
        guard number >= 0 else { throw SystemError.make("listen", number: -number) }
        listener = OwnedDescriptor(number)
        port = st_http_port(number)
        self.certificate = certificate
        self.reply = reply
    }

    /// Starts the server. It runs as long as the process, because libmicrohttpd's thread uses this object.
    package func start() throws(Problem) {
        let context = Unmanaged.passRetained(self).toOpaque()
        let daemon = st_http_start(
            listener.number,
            certificate?.key,
            certificate?.certificate,
            Self.connectionsMax,
            Self.idleSeconds,
            { context, address, _ in
                Unmanaged<PageServer>.fromOpaque(context).takeUnretainedValue().isOwn(address)
                    ? st_http_yes : st_http_no
            },
            { context, connection, path, method, _, upload, count, slot in
                Unmanaged<PageServer>.fromOpaque(context).takeUnretainedValue()
                    .hear(connection, path: path, method: method, upload: upload, count: count, slot: slot)
            },
            { context, connection, slot, _ in
                guard let exchange = slot?.pointee else { return }
                Unmanaged<Exchange>.fromOpaque(exchange).release()
                slot?.pointee = nil
                guard let context, let connection else { return }
                Unmanaged<PageServer>.fromOpaque(context).takeUnretainedValue()
                    .requestDidComplete(st_http_descriptor(connection))
            },
            { context, connection, _, what in
                guard let context, let connection else { return }
                Unmanaged<PageServer>.fromOpaque(context).takeUnretainedValue()
                    .connectionDidChange(st_http_descriptor(connection), isNew: what.rawValue == 0)
            },
            context
        )
        guard daemon != nil else {
            Unmanaged<PageServer>.fromOpaque(context).release()
            throw Problem(
                "page.no_server",
                "The web server could not be started. Free some memory, and try again."
            )
        }
        guard certificate != nil else { return }
        Task {
            while true {
                try await Task.sleep(for: Self.sweepEvery)
                connections.withLock { connections in
                    for peer in connections.overdue(nowMs: Stopwatch.milliseconds()) { peer.shutDown() }
                }
            }
        }
    }

    // MARK: - Connections from the network

    private func connectionDidChange(_ descriptor: Int32, isNew: Bool) {
        connections.withLock { connections in
            guard isNew else { return connections.remove(descriptor) }
            guard let peer = SocketPeer(descriptor) else { return }
            let dueMs = Stopwatch.milliseconds() + Self.firstTimeout.ms
            for surplus in connections.add(peer, dueMs: dueMs) { surplus.shutDown() }
        }
    }

    /// Extends the deadline after a complete request or reply.
    private func requestDidComplete(_ descriptor: Int32) {
        connections.withLock { $0.extend(descriptor, dueMs: Stopwatch.milliseconds() + Self.nextTimeout.ms) }
    }

    private func markKnown(_ descriptor: Int32) { connections.withLock { $0.markKnown(descriptor) } }

    private func isOwn(_ address: UnsafePointer<sockaddr>) -> Bool {
        certificate != nil || st_http_peer(address, port) == Int64(getuid())
    }

    /// One request under way. Only libmicrohttpd's thread uses it, except for `reply`.
    private final class Exchange: Sendable {
        let request: Mutex<PageRequest>
        let reply = Mutex<PageReply?>(nil)

        init(_ request: PageRequest) { self.request = Mutex(request) }
    }

    /// A connection, which libmicrohttpd guards with its own lock.
    private struct Connection: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private func hear(
        _ connection: OpaquePointer,
        path: UnsafePointer<CChar>,
        method: UnsafePointer<CChar>,
        upload: UnsafePointer<CChar>?,
        count: UnsafeMutablePointer<Int>,
        slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let known = slot.pointee else {
            let request = Self.head(connection, path: path, method: method)
            slot.pointee = Unmanaged.passRetained(Exchange(request)).toOpaque()
            let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
            return length > Self.bodyBytesMax ? Self.queue(Self.tooLarge, connection) : st_http_yes
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
        if count.pointee > 0, let upload {
            let piece = UnsafeRawBufferPointer(start: upload, count: count.pointee)
            count.pointee = 0
            return exchange.request.withLock {
                // An endless request that names no length gets no reply.
                guard $0.body.count + piece.count <= Self.bodyBytesMax else { return st_http_no }
                $0.body += piece
                return st_http_yes
            }
        }
        if let reply = exchange.reply.withLock({ $0 }) { return Self.queue(reply, connection) }
        let paused = Connection(pointer: connection)
        let request = exchange.request.withLock { $0 }
        let descriptor = st_http_descriptor(connection)
        requestDidComplete(descriptor)
        MHD_suspend_connection(connection)
        Task { [reply] in
            let made = await reply(request)
            // libmicrohttpd does not close a connection that is suspended.
            if made.isAuthenticated { markKnown(descriptor) }
            exchange.reply.withLock { $0 = made }
            MHD_resume_connection(paused.pointer)
        }
        return st_http_yes
    }

    private static let tooLarge = PageResponses.refusal(
        Problem(
            "page.body_too_large",
            "A request from the page may have at most \(bodyBytesMax, "bytes") bytes. Send less at a time."
        )
    )

    private static func head(
        _ connection: OpaquePointer,
        path: UnsafePointer<CChar>,
        method: UnsafePointer<CChar>
    ) -> PageRequest {
        func values(_ names: [String], _ value: (String) -> UnsafePointer<CChar>?) -> [String: String] {
            let found = names.map { ($0, value($0).map { String(cString: $0) }) }
            return Dictionary(uniqueKeysWithValues: found).compactMapValues(\.self)
        }
        return PageRequest(
            method: String(cString: method),
            path: String(cString: path),
            query: values(queryNames) { st_http_argument(connection, $0) },
            headers: values(headerNames) { st_http_header(connection, $0) }
        )
    }

    private static func queue(_ reply: PageReply, _ connection: OpaquePointer) -> MHD_Result {
        let response: OpaquePointer?
        switch reply.body {
        case .whole(let bytes):
            response = bytes.withUnsafeBytes { st_http_whole($0.baseAddress, $0.count) }
        case .live(let line):
            st_http_keep(connection)
            response = line.response(on: connection)
        }
        guard let response else { return st_http_no }
        defer { MHD_destroy_response(response) }
        for (name, value) in reply.headers { MHD_add_response_header(response, name, value) }
        return MHD_queue_response(connection, reply.status, response)
    }
}

/// The connection of one browser that receives events: the unsent data, and the suspended connection.
package final class LiveStream: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        /// The connection, while it is suspended.
        var resting: UInt?
    }

    /// Upper bound on the unsent data. A browser that reads nothing for so long is asleep, and further texts are dropped.
    private let waitingBytesMax: Int
    private let state = Mutex(State())
    private let onEnd: @Sendable (LiveStream) -> Void
    private let connection = Mutex<UInt>(0)

    /// `left` is called after the browser has disconnected.
    package init(waitingBytesMax: Int, _ left: @escaping @Sendable (LiveStream) -> Void) {
        self.waitingBytesMax = waitingBytesMax
        self.onEnd = left
    }

    package func send(_ text: String) {
        state.withLock { state in
            guard state.waiting.count < waitingBytesMax else { return }
            state.waiting += text.utf8
            guard let resting = state.resting else { return }
            state.resting = nil
            MHD_resume_connection(OpaquePointer(bitPattern: resting))
        }
    }

    fileprivate func response(on connection: OpaquePointer) -> OpaquePointer? {
        self.connection.withLock { $0 = UInt(bitPattern: connection) }
        return st_http_endless(
            { context, _, buffer, room in
                Unmanaged<LiveStream>.fromOpaque(context).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: room))
            },
            { context in
                let line = Unmanaged<LiveStream>.fromOpaque(context).takeRetainedValue()
                line.onEnd(line)
            },
            Unmanaged.passRetained(self).toOpaque()
        )
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let connection = connection.withLock { $0 }
        return state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.resting = connection
                MHD_suspend_connection(OpaquePointer(bitPattern: connection))
                return 0
            }
            let count = min(buffer.count, state.waiting.count)
            buffer.copyBytes(from: state.waiting[..<count])
            state.waiting.removeFirst(count)
            return count
        }
    }
}
