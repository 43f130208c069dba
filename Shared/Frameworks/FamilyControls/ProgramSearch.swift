import Glibc
import STPlatform

/// Finds a program: beside this one, as in a build folder or an installation, else in PATH.
enum ProgramSearch {
    static func find(_ name: String) -> String? {
        let folders = [ownFolder].compactMap { $0 } + path
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static var path: [String] {
        (ProcessEnvironment.current()["PATH"] ?? "").split(separator: ":").map(String.init)
    }

    private static var ownFolder: String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.lastIndex(of: "/").map { String(own[..<$0]) }
    }
}
