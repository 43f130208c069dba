import DeviceActivity
import FamilyControls

/// How a command ends, with the numbers of `screentime`.
package enum ExitStatus: Int32 {
    case no = 1
    case usage = 2
    case notRunning = 3
    case notAllowed = 4

    private static let absent: Set<String> = [
        "service.not_running", "service.unavailable", "deadline.exceeded",
    ]

    package init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal.status
        case DeviceActivityCenter.MonitoringError.unauthorized, FamilyControlsError.unauthorized,
            FamilyControlsError.restricted:
            self = .notAllowed
        case let problem as ScreenTimeProblem where Self.absent.contains(problem.code): self = .notRunning
        case FamilyControlsError.unavailable, FamilyControlsError.networkError: self = .notRunning
        default: self = .no
        }
    }
}
