package import STContracts
package import STPlatform

/// The program of an extension, and the app and member for which it runs.
package struct ExtensionSpec: Sendable, Hashable {
    package var app: String
    package var member: String
    package var point: ExtensionPoint
    /// The absolute path of the program.
    package var executable: String
    /// Variables in addition to those that every extension of this host gets.
    package var environment: [String: String]

    package init(
        app: String,
        member: String,
        point: ExtensionPoint,
        executable: String,
        environment: [String: String] = [:]
    ) {
        self.app = app
        self.member = member
        self.point = point
        self.executable = executable
        self.environment = environment
    }

    /// Identifies a process: each key has its own.
    struct Key: Hashable {
        var app: String
        var member: String
        var point: ExtensionPoint
    }

    var key: Key { Key(app: app, member: member, point: point) }
}

/// One callback to make.
package struct ExtensionJob: Sendable {
    package var call: ExtensionCall
    /// The id of the event that caused the callback. The callback's requests contain it too.
    package var cause: String
    package var trace: TraceContext
    /// The boot time after which the caller no longer waits, so the call is not started. `nil` means no limit.
    package var startByBootMs: Int64?

    package init(call: ExtensionCall, cause: String, trace: TraceContext, startByBootMs: Int64? = nil) {
        self.call = call
        self.cause = cause
        self.trace = trace
        self.startByBootMs = startByBootMs
    }
}

/// The outcome of one call.
package struct ExtensionOutcome: Sendable {
    /// The reason of a failure. `nil` if the call succeeded.
    package var problem: Problem?
    package var result: JSONValue?
    /// The highest private memory that was measured, or 0 if it was not measured.
    package var peakBytes: Int64 = 0
    package var durationMs: Int64 = 0
    /// True if a process had to be started for the call.
    package var isCold = false
    /// The last lines that the extension wrote.
    package var lastLines: [ExtensionLine] = []

    package init(problem: Problem? = nil) { self.problem = problem }

    package static let lastLinesMax = 30
}
