import Glibc
import STPlatform

/// A directory under /tmp that is gone when the test is over.
///
/// Short, because socket paths are.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/st-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        let plan = SpawnPlan(executable: "/bin/rm", arguments: ["-rf", "--", path])
        _ = try? SpawnedProcess(plan).wait(deadlineMs: 10_000)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    static func text(_ path: String) throws -> String {
        String(decoding: try AtomicFile.read(path, limitBytes: 1 << 20), as: UTF8.self)
    }
}
