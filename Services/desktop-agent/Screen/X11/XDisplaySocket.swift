import Glibc
import STCScreen
import STPlatform

/// The connected socket of a display, and the process that listens there.
struct XDisplaySocket {
    let descriptor: Int32
    let host: String
    let display: Int32
    let screen: Int32
    /// The process that listens there. `nil` if the kernel does not report it.
    let server: Int32?

    /// Time limit for connecting. If the server's backlog is full, a blocking socket would wait forever.
    private static let connectTimeout = Duration.seconds(1)

    static func open(display name: String) throws(Problem) -> XDisplaySocket {
        var host: UnsafeMutablePointer<CChar>?
        var display: Int32 = 0
        var screen: Int32 = 0
        guard xcb_parse_display(name, &host, &display, &screen) != 0 else {
            throw Problem(
                XConnection.noDisplay,
                "DISPLAY is “\(DisplayWidth.sanitized(name), "name")”, which does not name a display.",
                key: "x11.no_display.bad-name"
            )
        }
        let hostName = host.map { String(cString: $0) } ?? ""
        free(host)
        // A display of another machine, or one forwarded to another machine, is not a desktop of this machine.
        guard hostName.isEmpty || hostName == "unix" else {
            throw Problem(
                XConnection.noDisplay,
                """
                The X display \(DisplayWidth.sanitized(name), "name") belongs to another machine; only a \
                local one can be used.
                """,
                key: "x11.no_display.another-machine"
            )
        }
        let path = "/tmp/.X11-unix/X\(display)"
        // First the abstract name, as in every X client, because no program can remove it like a file.
        for isAbstract in [true, false] {
            guard let number = connect(path, isAbstract: isAbstract) else { continue }
            return XDisplaySocket(
                descriptor: number,
                host: hostName,
                display: display,
                screen: screen,
                server: peer(number)
            )
        }
        throw Problem(
            XConnection.noDisplay,
            "No X server answers at the display \(DisplayWidth.sanitized(name), "name").",
            key: "x11.no_display.no-server",
            retryable: true
        )
    }

    private static func connect(_ path: String, isAbstract: Bool) -> Int32? {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        var patience = timeval(tv_sec: 0, tv_usec: suseconds_t(connectTimeout.ms * 1_000 - 1))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract name has exactly its length. A file name ends at the first zero byte.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(number, $0, length) }
        }
        guard result == 0 else {
            close(number)
            return nil
        }
        patience = timeval()
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        return number
    }

    private static func peer(_ descriptor: Int32) -> Int32? {
        // struct ucred: pid, uid, gid. Glibc's module does not export it.
        var words: [Int32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &length) == 0, words[0] > 0 else {
            return nil
        }
        return words[0]
    }
}

/// The authority file of a session, with the cookies that give access to its display.
///
/// xcb would read the path from this process's environment, which need not be the session's.
struct XAuthority {
    private static let bytesMax = 1 << 20
    private static let cookieName = Array("MIT-MAGIC-COOKIE-1".utf8)
    /// The families of cookies for every host (FamilyWild) and for this host (FamilyLocal).
    private static let families: Set<Int> = [0xFFFF, 256]

    private let file: [UInt8]

    init(path: String?, home: String?) {
        let place = path ?? home.map { "\($0)/.Xauthority" }
        file = place.flatMap { try? AtomicFile.read($0, limitBytes: Self.bytesMax) } ?? []
    }

    init(file: [UInt8]) { self.file = file }

    func connect(_ door: XDisplaySocket) -> OpaquePointer? {
        guard var cookie = cookie(display: Int(door.display)) else {
            return xcb_connect_to_fd(door.descriptor, nil)
        }
        var name = Self.cookieName
        return name.withUnsafeMutableBytes { nameBytes in
            cookie.withUnsafeMutableBytes { cookieBytes in
                var info = xcb_auth_info_t(
                    namelen: Int32(nameBytes.count),
                    name: nameBytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    datalen: Int32(cookieBytes.count),
                    data: cookieBytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                )
                return xcb_connect_to_fd(door.descriptor, &info)
            }
        }
    }

    /// Returns the cookie for a display. Entries have a family, which is a number of two bytes, and four strings: address, display,
    /// name, data. Each string follows its length.
    func cookie(display: Int) -> [UInt8]? {
        var rest = file[...]
        func number() -> Int? {
            guard rest.count >= 2 else { return nil }
            defer { rest = rest.dropFirst(2) }
            return Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        }
        func bytes() -> [UInt8]? {
            guard let count = number(), rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let wanted = Array(String(display).utf8)
        while let family = number(), bytes() != nil, let shown = bytes(), let name = bytes(),
            let data = bytes()
        {
            let isOurs = Self.families.contains(family) && (shown.isEmpty || shown == wanted)
            if isOurs && name == Self.cookieName && !data.isEmpty { return data }
        }
        return nil
    }
}

/// Shuts a socket down after a time limit, so that a thread that waits for the other program sees the end of the connection.
///
/// Libraries that implement a protocol over a socket have no time limits of their own.
final class Watchdog: Sendable {
    private let signal: WakeDescriptor?
    private let thread: LoopThread?

    init(_ descriptor: Int32, after length: Duration) {
        signal = try? WakeDescriptor()
        thread = try? LoopThread(name: "x11-watchdog")
        guard let signal else { return }
        thread?.post {
            if !signal.wait(withinMs: length.ms) { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Stops the watchdog. The socket is not shut down after it has returned.
    func stop() {
        signal?.signal()
        thread?.stop()
        thread?.join()
    }
}
