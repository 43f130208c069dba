import Glibc
import STCScreen
import STPlatform

/// The socket of a display, connected; and whose it is.
struct XDoor {
    let descriptor: Int32
    let host: String
    let display: Int32
    let screen: Int32
    /// The process that listens there; nil where that is another machine's.
    let server: Int32?

    /// The other side may have a full backlog, and then a blocking socket would wait for ever.
    private static let backlogMs: Int64 = 1_000

    static func open(display name: String) throws(Problem) -> XDoor {
        var host: UnsafeMutablePointer<CChar>?
        var display: Int32 = 0
        var screen: Int32 = 0
        guard xcb_parse_display(name, &host, &display, &screen) != 0 else {
            throw Problem(
                XConnection.noDisplay,
                "DISPLAY is “\(DisplayWidth.harmless(name))”, which is no display."
            )
        }
        let hostName = host.map { String(cString: $0) } ?? ""
        free(host)
        // A display of another machine, or forwarded from here to there, is no desktop of this one.
        guard hostName.isEmpty || hostName == "unix" else {
            throw Problem(
                XConnection.noDisplay,
                "The X display \(DisplayWidth.harmless(name)) belongs to another machine; only a local one is looked at."
            )
        }
        let path = "/tmp/.X11-unix/X\(display)"
        // The abstract name first, as every X client does: nobody can take the file away from beneath it.
        for isAbstract in [true, false] {
            guard let number = connect(path, isAbstract: isAbstract) else { continue }
            return XDoor(
                descriptor: number,
                host: hostName,
                display: display,
                screen: screen,
                server: peer(number)
            )
        }
        throw Problem(
            XConnection.noDisplay,
            "Nobody listens at the X display \(DisplayWidth.harmless(name)).",
            retryable: true
        )
    }

    private static func connect(_ path: String, isAbstract: Bool) -> Int32? {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        var patience = timeval(tv_sec: 0, tv_usec: suseconds_t(backlogMs * 1_000 - 1))
        setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract name has exactly its length; that of a file ends at the first zero.
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
        // struct ucred: pid, uid, gid; Glibc's module does not show it.
        var words: [Int32] = [0, 0, 0]
        var length = socklen_t(12)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &length) == 0, words[0] > 0 else {
            return nil
        }
        return words[0]
    }
}
