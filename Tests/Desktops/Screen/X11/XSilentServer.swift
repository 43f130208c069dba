import Glibc
import STPlatform

/// Listens where a display would, and never says a word.
final class XSilentServer {
    let display: String
    private let listener: OwnedDescriptor

    init() throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError.last("socket") }
        listener = OwnedDescriptor(number)
        // Far beyond the numbers that servers take by themselves; it is only a name in memory.
        let chosen = 20_000 + Int(getpid()) % 10_000
        display = ":\(chosen)"
        let name = [0] + Array("/tmp/.X11-unix/X\(chosen)".utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
        }
        guard result == 0, listen(number, 4) == 0 else { throw SystemError.last("bind") }
    }
}
