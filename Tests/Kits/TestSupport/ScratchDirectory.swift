import Glibc
package import STPlatform

/// A directory that is gone when the test is over.
///
/// Short, because socket paths are.
package final class ScratchDirectory: Sendable {
    package let path: String

    /// Set by a script that looks afterwards whether a run of tests has left any behind, to know them from others'.
    private static let mark =
        ProcessEnvironment.current()["SCREENTIME_SCRATCH_MARK"].map { "\($0)-" } ?? ""

    /// In memory where the machine has such a place, for tests that write much.
    package init(inMemory: Bool = false) throws {
        let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/st-\(Self.mark)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { remove() }

    /// May be called again; what cannot be removed, because a process still writes there, stays.
    package func remove() { try? DirectoryTree.remove(path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Where a system in this directory has its things.
    package var directories: Directories {
        Directories(run: file("run"), state: file("state"), config: file("config"))
    }

    package func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws {
        try AtomicFile.write(Array(text.utf8), to: file(name), mode: mode, durable: false)
    }

    /// Of any file; empty while there is none.
    package static func text(_ path: String) -> String {
        (try? AtomicFile.read(path, limitBytes: 64 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
