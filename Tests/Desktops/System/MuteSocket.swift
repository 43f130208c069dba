import Glibc
import STPlatform

/// A socket where connections are taken, by the kernel, and nothing ever answers.
final class MuteSocket {
    private let descriptor: OwnedDescriptor
    private let path: String

    init(_ path: String) throws {
        self.path = path
        descriptor = OwnedDescriptor(
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        )
        guard descriptor.number >= 0 else { throw SystemError.last("socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(descriptor.number, 16) == 0 else { throw SystemError.last("bind") }
    }

    func close() { unlink(path) }
}
