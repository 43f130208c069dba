import Foundation
import Glibc
import STPlatform

/// The program that the tests start.
enum Program {
    /// Beside the test program, where SwiftPM puts all it builds.
    static let probe = beside("screentime-frameworks-probe")
    /// Another build of it can be named, such as an optimised one.
    static let monitor =
        ProcessEnvironment.current()["SCREENTIME_SAMPLE_MONITOR"] ?? beside("screentime-sample-monitor")

    static let shield = beside("screentime-sample-shield")

    private static func beside(_ name: String) -> String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
    }

    /// Enough to start a Swift program with.
    static let environment = ProcessEnvironment.current().filter {
        ["PATH", "HOME", "LD_LIBRARY_PATH", "TZ", "LANG"].contains($0.key)
    }

    /// What is in the pipe now.
    static func read(_ pipe: DescriptorPipe) -> String {
        var buffer = [UInt8](repeating: 0, count: 128 * 1024)
        guard Readiness.wait(pipe.readEnd.number, withinMs: 1_000) else { return "" }
        let count = Glibc.read(pipe.readEnd.number, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
}
