import Glibc
import STCScreen
import STPlatform

/// The socket of the compositor, and the process that listens there.
struct WaylandSocket {
    static let pathBytesMax = 107

    let path: String

    /// Returns `nil` if the environment names no display.
    init?(_ environment: [String: String]) {
        guard let name = environment["WAYLAND_DISPLAY"], !name.isEmpty else { return nil }
        if name.hasPrefix("/") {
            path = name
        } else {
            guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
            path = "\(folder)/\(name)"
        }
    }

    /// Connects without waiting for the compositor.
    static func connect(_ path: String) -> Result<OwnedDescriptor, Problem> {
        guard path.utf8.count <= pathBytesMax, !path.utf8.contains(0) else {
            return .failure(
                Problem(
                    "desktop.no_display",
                    """
                    The path of the socket “\(TextSanitizer.sanitized(path), "path")” is longer than \
                    \(pathBytesMax, "bytes") bytes. Correct WAYLAND_DISPLAY or XDG_RUNTIME_DIR.
                    """,
                    key: "desktop.no_display.the-sockets-path"
                )
            )
        }
        let number = stw_connect(path)
        guard number >= 0 else {
            return .failure(
                Problem(
                    "desktop.no_display",
                    """
                    Nothing answers at \(TextSanitizer.sanitized(path), "path"): \(SystemError.text(-number), "reason"). \
                    Start the desktop, or correct WAYLAND_DISPLAY.
                    """,
                    key: "desktop.no_display.nothing-answers-at",
                    retryable: true
                )
            )
        }
        return .success(OwnedDescriptor(number))
    }

    /// Returns the process at the other end and the name of its executable, as reported by the kernel.
    static func peer(_ descriptor: Int32) -> (pid: Int32, program: String?)? {
        var pid: pid_t = 0
        var uid: uid_t = 0
        guard stw_peer(descriptor, &pid, &uid) == 0, pid > 0 else { return nil }
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count)
        if count > 0 {
            let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            return (pid, path.split(separator: "/").last.map { TextSanitizer.sanitized(String($0)) })
        }
        // The link of another account's process is unreadable, but its short name is readable for all.
        let name = try? AtomicFile.read("/proc/\(pid)/comm", limitBytes: 256)
        return (
            pid, name.map { TextSanitizer.sanitized(String(decoding: $0.filter { $0 != 10 }, as: UTF8.self)) }
        )
    }
}
