import STPlatform
import STTestKit
import STTestSupport
import Testing

/// Tests of real processes. They run one after the other, because some of them load the whole machine.
@Suite("The system", .serialized, .tellsLogs)
enum SystemSuite {}

/// Tests of households of real processes. They run one after the other, in parallel with `SystemSuite`, because they mostly wait.
@Suite("Households", .serialized, .tellsLogs)
enum HouseholdSuite {}

/// Prints the last log lines of every running service after a failure.
extension Trait where Self == IssueHandlingTrait {
    static var tellsLogs: Self {
        .compactMapIssues { issue in
            print(RunningSystems.stories())
            return issue
        }
    }
}

/// The long forms of these tests, for `scripts/soak.sh`.
enum Soak {
    static let isOn = TestScale.isSoak

    /// The number of rounds in `SCREENTIME_ROUNDS`, instead of a test's own.
    static let rounds = ProcessEnvironment.current()["SCREENTIME_ROUNDS"].flatMap(Int64.init)

    /// The seed. `SCREENTIME_SEED` repeats a run.
    static let seed: UInt64 =
        ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())
}

/// Returns the code of a rejection, `ok` if there is none, or the text of an error that is not a `Problem`.
func refusal(_ body: () async throws -> Void) async -> String {
    do {
        try await body()
        return "ok"
    } catch let problem as Problem {
        return problem.code
    } catch {
        return "\(error)"
    }
}
