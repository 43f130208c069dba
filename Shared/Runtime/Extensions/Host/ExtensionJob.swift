package import STContracts
package import STPlatform

/// Which program to start, for whom.
package struct ExtensionSpec: Sendable, Hashable {
    package var app: String
    package var member: String
    package var point: ExtensionPoint
    /// An absolute path.
    package var executable: String
    /// In addition to what every extension of this host gets.
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

    /// Each key has its own process.
    struct Key: Hashable {
        var app: String
        var member: String
        var point: ExtensionPoint
    }

    var key: Key { Key(app: app, member: member, point: point) }
}

/// One callback to be made.
package struct ExtensionJob: Sendable {
    package var call: ExtensionCall
    /// The id of the event that led here; the callback's requests carry it on.
    package var cause: String
    package var trace: TraceContext
    /// After this moment the caller has stopped waiting, so the call is not begun; nil is never.
    package var startByBootMs: Int64?

    package init(call: ExtensionCall, cause: String, trace: TraceContext, startByBootMs: Int64? = nil) {
        self.call = call
        self.cause = cause
        self.trace = trace
        self.startByBootMs = startByBootMs
    }
}

/// How one call ended.
package struct ExtensionOutcome: Sendable {
    /// Nil when it was done.
    package var problem: Problem?
    package var result: JSONValue?
    /// The most private memory that was seen; 0 when it was not measured.
    package var peakBytes: Int64 = 0
    package var durationMs: Int64 = 0
    /// Whether a process had to be started for it.
    package var isCold = false
    /// The last of what it wrote.
    package var lastLines: [ExtensionLine] = []

    package init(problem: Problem? = nil) { self.problem = problem }

    package static let lastLinesMax = 30
}
