import STTestKit
import Testing

/// Prints the last log lines of every service that runs when something fails.
extension Trait where Self == IssueHandlingTrait {
    static var tellsLogs: Self {
        .compactMapIssues { issue in
            print(RunningSystems.stories())
            return issue
        }
    }
}
