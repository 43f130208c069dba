import Glibc
import STPlatform

/// A directory under /tmp that is gone when the test is over.
///
/// Short, because socket paths are.
final class Scratch: Sendable {
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

    func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws {
        try AtomicFile.write(Array(text.utf8), to: file(name), mode: mode, durable: false)
    }

    static func text(_ path: String) -> String {
        (try? AtomicFile.read(path, limitBytes: 8 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
