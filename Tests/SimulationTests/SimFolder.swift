import Glibc
import STPlatform

/// The directory of one run, in memory where the machine has such a place, and removed with the run.
final class SimFolder: Sendable {
    let path: String

    init() throws {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/st-sim-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        if let directory = opendir(path) {
            while let entry = readdir(directory) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink(path + "/" + name)
            }
            closedir(directory)
        }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The files of a database as a process that is killed now would leave them.
    static func copyImage(of database: String, to copy: String) {
        for suffix in ["", "-wal"] {
            unlink(copy + suffix)
            copyFile(database + suffix, to: copy + suffix)
        }
    }

    static func removeImage(_ database: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
    }

    private static func copyFile(_ source: String, to copy: String) {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { return }
        defer { close(from) }
        let to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard to >= 0 else { return }
        defer { close(to) }
        var status = stat()
        guard fstat(from, &status) == 0 else { return }
        var rest = Int(status.st_size)
        while rest > 0 {
            let moved = sendfile(to, from, nil, rest)
            guard moved > 0 else { return }
            rest -= moved
        }
    }
}
