import Glibc
import STPlatform

/// A directory of one test, removed with it.
final class Scratch {
    let path: String

    init() throws {
        var template = Array("/tmp/st-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        for name in ["engine.db", "engine.db-wal", "engine.db-shm", "copy.db"] { unlink(path + "/" + name) }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }
}
