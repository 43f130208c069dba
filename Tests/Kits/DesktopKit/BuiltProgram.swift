import Glibc
import STPlatform

/// Programs of this package, which SwiftPM puts beside that of the tests.
enum BuiltProgram {
    static func path(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemError.last("readlink") }
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let path = (own.lastIndex(of: "/").map { String(own[..<$0]) } ?? ".") + "/\(name)"
        guard access(path, X_OK) == 0 else {
            throw Problem("test.not_built", "\(path) is missing; the test target must depend on \(name)")
        }
        return path
    }
}
