import Glibc
import STPlatform
import Synchronization

/// A service's log file, and its last lines, which explain why a service does not start.
final class ServiceLog: Sendable {
    private struct State {
        var file: OwnedDescriptor?
        var size = 0
        var tail: [String] = []
    }

    private static let tailLines = 10
    let path: String
    private let bytesMax: Int
    private let state: Mutex<State>

    init(path: String, bytesMax: Int) throws(Problem) {
        self.path = path
        self.bytesMax = bytesMax
        let (file, size) = try Self.open(path)
        state = Mutex(State(file: file, size: size))
    }

    var lastLines: [String] { state.withLock { $0.tail } }

    /// Appends a line. If it cannot be written (a full disk), it is missing only in the file: services must not stop for their
    /// logs.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        state.withLock { state in
            state.tail.append(line)
            if state.tail.count > Self.tailLines { state.tail.removeFirst() }
            if state.size > 0 && state.size + bytes.count > bytesMax { rotate(&state) }
            guard let file = state.file else { return }
            let count = write(file.number, bytes, bytes.count)
            state.size += max(0, count)
        }
    }

    /// True if the path leads to another file, or to none.
    var isGone: Bool {
        state.withLock { state in
            guard let file = state.file else { return true }
            return FileMark(path) != FileMark(file.number)
        }
    }

    func reopen() throws(Problem) {
        let (file, size) = try Self.open(path)
        state.withLock { state in
            state.file = file
            state.size = size
        }
    }

    private func rotate(_ state: inout State) {
        // If it cannot be renamed, the file continues to grow, which loses less than not writing.
        guard rename(path, path + ".1") == 0, let (file, size) = try? Self.open(path) else { return }
        state.file = file
        state.size = size
    }

    private static func open(_ path: String) throws(Problem) -> (OwnedDescriptor, Int) {
        let number = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            throw Problem(
                "supervisor.no_log",
                """
                cannot write the log \(path, "path"): \(SystemError.text(errno), "errno"); check the file \
                and its directory
                """
            )
        }
        var about = stat()
        let size = fstat(number, &about) == 0 ? Int(about.st_size) : 0
        return (OwnedDescriptor(number), size)
    }
}
