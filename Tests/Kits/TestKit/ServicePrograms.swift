import Glibc
package import STContracts
import STPlatform

/// The executables, which SwiftPM puts beside that of the tests.
package enum ServicePrograms {
    package static func path(_ service: ServiceName) throws -> String { try path(program: service.rawValue) }

    package static func path(program: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemError.last("readlink") }
        let own = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let place = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
        let path = "\(place)/\(program)"
        guard access(path, X_OK) == 0 else {
            throw Problem("test.not_built", "\(path) is missing; the test target must depend on \(program)")
        }
        return path
    }

    /// What a service needs to run: nothing of the environment of whoever runs the tests.
    ///
    /// Nor of its programs and its screen: a test must go the same on every computer.
    package static let environment = [
        "PATH": "/usr/bin:/bin", "TZ": "UTC", "SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS": "none",
        "SCREENTIME_DESKTOP_AGENT_ADAPTER": "none",
    ]
}
