package import STContracts
package import STPlatform

/// What became of one call.
package struct ExtensionOutcome: Sendable {
    /// Nil when it was done.
    package var problem: Problem?
    package var result: JSONValue?
    /// The most private memory that was seen; 0 when nobody looked.
    package var peakBytes: Int64 = 0
    package var outputBytes: Int64 = 0
    package var requests: Int64 = 0
    package var durationMs: Int64 = 0
    /// Whether a process had to be started for it.
    package var isCold = false
    /// The last of what it wrote.
    package var lastLines: [ExtensionLine] = []

    package init(problem: Problem? = nil) { self.problem = problem }

    package static let lastLinesMax = 30
}
