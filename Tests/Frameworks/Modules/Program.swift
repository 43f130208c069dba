import Foundation
import Glibc
import STPlatform
import STTestSupport

/// The program that the tests start.
enum Program {
    static let probe = BuiltTree.programs + "/screentime-frameworks-probe"
    /// Another build of it can be named, such as an optimised one.
    static let monitor =
        ProcessEnvironment.current()["SCREENTIME_SAMPLE_MONITOR"] ?? BuiltTree.programs
        + "/screentime-sample-monitor"

    static let shield = BuiltTree.programs + "/screentime-sample-shield"

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
