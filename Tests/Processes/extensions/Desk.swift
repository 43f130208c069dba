import Glibc
import STContracts
import STExtensions
import STPlatform
import STTestKit
import STTestSupport

typealias Desk = ExtensionDesk

/// Creates a host with the test extension.
extension ExtensionDesk {
    convenience init(
        _ change: (inout ExtensionLimits) -> Void = { _ in },
        answer: @escaping Answer = { _ in Array("{}".utf8) }
    ) throws {
        try self.init(
            environment: ["PATH": "/usr/bin:/bin", "SCREENTIME_SECRET": "is not passed on"],
            change,
            answer: answer
        )
    }

    func spec(start: String = "", executable: String? = nil) throws -> ExtensionSpec {
        ExtensionSpec(
            app: "org.example.app",
            member: "owner",
            point: .monitor,
            executable: try executable ?? Self.program(),
            environment: ["ST_TEST_START": start, "ST_TEST_FILE": notes]
        )
    }

    /// The file in which the extension records its calls, in the containers of groups.
    var notes: String { scratch.directories.state + "/groups/notes" }

    func call(
        _ activity: String,
        id: String = "D",
        attempt: Int64 = 1,
        startByBootMs: Int64? = nil,
        _ spec: ExtensionSpec? = nil
    ) async throws -> ExtensionOutcome {
        let body = JSONValue.object(["activity": .string(activity)])
        let call = ExtensionCall(
            id: id,
            attempt: attempt,
            method: MonitorMethod.intervalDidStart.rawValue,
            body: body,
            wallMs: 5,
            deadlineMs: 0
        )
        return await host.call(
            try spec ?? self.spec(),
            ExtensionJob(call: call, cause: "the-event", trace: .fresh(), startByBootMs: startByBootMs)
        )
    }

    static func program() throws -> String {
        try BuiltTree.program("screentime-test-extension")
    }

    /// The pids of processes that the extension left behind, as it printed them.
    var leftBehind: [Int32] {
        texts.compactMap { text in
            text.hasPrefix("left behind ") ? Int32(text.dropFirst("left behind ".count)) : nil
        }
    }

    static func exists(_ pid: Int32) -> Bool { kill(pid, 0) == 0 }
}
