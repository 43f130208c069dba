import STPlatform
import STTestKit
import STTestSupport
import Testing

/// Tests of real processes: one after the other, because some of them load the whole machine.
@Suite("The system", .serialized, .tellsLogs)
enum SystemSuite {}

/// Tests of households of real processes: one after the other, and beside `SystemSuite`, because they wait most of the time.
@Suite("Households", .serialized, .tellsLogs)
enum HouseholdSuite {}

/// Prints the last log lines of every service that runs when something fails.
extension Trait where Self == IssueHandlingTrait {
    static var tellsLogs: Self {
        .compactMapIssues { issue in
            print(RunningSystems.stories())
            return issue
        }
    }
}

/// The long forms of these tests: `scripts/soak.sh`.
enum Soak {
    static let isOn = TestScale.isSoak

    /// `SCREENTIME_ROUNDS` asks for another number than the form of a test has.
    static let rounds = ProcessEnvironment.current()["SCREENTIME_ROUNDS"].flatMap(Int64.init)

    /// `SCREENTIME_SEED` repeats a run.
    static let seed: UInt64 =
        ProcessEnvironment.current()["SCREENTIME_SEED"].flatMap(UInt64.init)
        ?? UInt64(truncatingIfNeeded: Stopwatch.nanoseconds())
}

/// The code with which something was refused, `ok` when it was not, and the error's text when it is no problem.
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
