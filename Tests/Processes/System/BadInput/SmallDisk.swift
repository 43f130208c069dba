import Glibc
import STPlatform
import STTestSupport

/// A file system of a few megabytes, with a file on it that can be taken away to make room.
final class SmallDisk {
    let path: String
    private var isMounted = false

    init(_ scratch: ScratchDirectory, megabytes: Int) throws {
        path = scratch.file("disk")
        mkdir(path, 0o700)
        try Self.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=700", "tmpfs", path])
        isMounted = true
    }

    deinit { unmount() }

    func unmount() {
        guard isMounted else { return }
        isMounted = false
        // At once where nobody uses it any more, so that the directory can go too.
        if (try? Self.run("/usr/bin/umount", [path])) == nil {
            try? Self.run("/usr/bin/umount", ["--lazy", path])
        }
    }

    func takeRoom(bytes: Int) throws {
        try AtomicFile.write(Array(repeating: 0, count: bytes), to: path + "/ballast", durable: false)
    }

    func makeRoom() { unlink(path + "/ballast") }

    private static func run(_ program: String, _ arguments: [String]) throws {
        guard
            try SpawnedProcess(SpawnPlan(executable: program, arguments: arguments)).wait(deadlineMs: 10_000)
                == .exited(0)
        else { throw Problem("test.command", "\(program) \(arguments.joined(separator: " ")) failed") }
    }

    /// Whether file systems may be mounted here, which takes root and a machine that lets it.
    static let isAvailable: Bool = {
        guard geteuid() == 0, let scratch = try? ScratchDirectory() else { return false }
        defer { scratch.remove() }
        let disk = try? SmallDisk(scratch, megabytes: 1)
        disk?.unmount()
        return disk != nil
    }()
}
