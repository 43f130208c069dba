import Glibc
import STPlatform

/// The log of a system in the background: standard output and error, renamed to `.1` when it has grown too large.
final class OutputFile: @unchecked Sendable {
    // @unchecked: `size` is touched by the one thread that writes the merged log.
    private static let bytesMax = 8 << 20

    private let path: String
    private var size: Int

    init(path: String) {
        self.path = path
        var about = stat()
        size = fstat(STDOUT_FILENO, &about) == 0 ? Int(about.st_size) : 0
    }

    func makeRoom(for count: Int) {
        size += count
        guard size > Self.bytesMax, let new = try? Self.open(path, renaming: true) else { return }
        dup2(new.number, STDOUT_FILENO)
        dup2(new.number, STDERR_FILENO)
        size = count
    }

    static func open(_ path: String, renaming: Bool) throws(Problem) -> OwnedDescriptor {
        if renaming { rename(path, path + ".1") }
        let number = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            throw Problem(
                "system.no_log",
                "Cannot write the log \(path): \(SystemError.text(errno)). Correct that."
            )
        }
        return OwnedDescriptor(number)
    }
}
