import Foundation
import STPlatform

/// The program that the tests start.
enum Program {
    /// Beside the test program, where SwiftPM puts all it builds.
    static let probe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "screentime-frameworks-probe").path

    /// Enough to start a Swift program with.
    static let environment = ProcessEnvironment.current().filter {
        ["PATH", "HOME", "LD_LIBRARY_PATH", "TZ", "LANG"].contains($0.key)
    }
}
