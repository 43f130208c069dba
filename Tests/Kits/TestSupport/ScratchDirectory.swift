import Glibc
package import STPlatform

/// A directory that is removed after the test.
///
/// Its path is short, because the paths of sockets are limited.
package final class ScratchDirectory: Sendable {
    package let path: String

    /// A mark from a script that later checks if a run of tests has left directories, to distinguish them from others.
    private static let mark =
        ProcessEnvironment.current()["SCREENTIME_SCRATCH_MARK"].map { "\($0)-" } ?? ""

    /// With `inMemory`, the directory is in memory if the machine allows it, for tests that write much.
    package init(inMemory: Bool = false) throws {
        let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/st-\(Self.mark)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { remove() }

    /// Removes the directory. May be called again. A file that cannot be removed, because a process still writes there, stays.
    package func remove() { try? DirectoryTree.remove(path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The directories of a system in this directory.
    package var directories: Directories {
        Directories(run: file("run"), state: file("state"), config: file("config"))
    }

    package func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws {
        try AtomicFile.write(Array(text.utf8), to: file(name), mode: mode, durable: false)
    }

    /// Returns the text of any file, or an empty text if it does not exist.
    package static func text(_ path: String) -> String {
        (try? AtomicFile.read(path, limitBytes: 64 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
