import Glibc
import STPlatform

/// The source tree of the tests, and the programs of the build.
package enum BuiltTree {
    /// This file is in Tests/Kits/TestSupport.
    package static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    package static func source(_ path: String) -> String { "\(root)/\(path)" }

    /// The folder of all programs that SwiftPM builds, which also contains the tests' executable.
    package static let programs =
        ProcFile.ownExecutable().flatMap { own in
            own.lastIndex(of: "/").map { String(own[..<$0]) }
        } ?? "."

    package static func program(_ name: String) throws -> String {
        let path = "\(programs)/\(name)"
        guard access(path, X_OK) == 0 else {
            throw Problem(
                "test.not_built",
                verbatim: "\(path) is missing; the test target must depend on \(name)"
            )
        }
        return path
    }

    /// True if the source tree contains the developer kit. Tests that start a program of the kit are skipped without it.
    package static let hasKit = access(source("Services/developer-kit"), F_OK) == 0
}
