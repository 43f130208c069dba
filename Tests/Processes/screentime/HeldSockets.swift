import Glibc
import STPlatform
import STTestSupport

/// The two listening sockets of a notifier, held by the test as systemd holds those of its socket units.
final class HeldSockets: Sendable {
    let rpcPath: String
    let eventsPath: String
    private let scratch: ScratchDirectory
    private let rpc: OwnedDescriptor
    private let events: OwnedDescriptor

    init(_ scratch: ScratchDirectory) throws {
        self.scratch = scratch
        let folder = scratch.file("run/notifier")
        try Directories.prepare(scratch.file("run"))
        try Directories.prepare(folder)
        rpcPath = folder + "/rpc"
        eventsPath = folder + "/events"
        rpc = try Self.listen(rpcPath)
        events = try Self.listen(eventsPath)
    }

    /// Starts the service with both sockets. LISTEN_PID must be its own pid, which only the process itself knows.
    func start(names: String = "rpc:events") throws -> RunningCommand {
        try RunningCommand(
            "/bin/sh",
            ["-c", "LISTEN_PID=$$ exec \"$0\"", BuiltTree.programs + "/notifier"],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": scratch.path, "SCREENTIME_RUN": scratch.file("run"),
                "SCREENTIME_STATE": scratch.file("state"), "SCREENTIME_CONFIG": scratch.file("config"),
                "LISTEN_FDS": "2", "LISTEN_FDNAMES": names,
            ],
            outputPath: scratch.file("output"),
            descriptors: [3: rpc.number, 4: events.number]
        )
    }

    func inode(_ path: String) -> UInt64 {
        var about = stat()
        return lstat(path, &about) == 0 ? UInt64(about.st_ino) : 0
    }

    private static func listen(_ path: String) throws -> OwnedDescriptor {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemError.last("socket") }
        let owned = OwnedDescriptor(number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            // One less, so that the last byte stays NUL.
            for (index, byte) in path.utf8.prefix(bytes.count - 1).enumerated() { bytes[index] = byte }
        }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) }
        }
        guard bound == 0, Glibc.listen(number, 256) == 0 else { throw SystemError.last("bind") }
        return owned
    }
}
