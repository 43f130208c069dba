import Glibc
import STPlatform

/// Where the executables of the services lie: beside that of whoever plays a simulation.
package enum ProgramsFolder {
    package static func own() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemError.last("readlink") }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
