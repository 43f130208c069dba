import STPlatform

extension DeviceActivityCenter.MonitoringError {
    /// Apple's error for a refusal, where there is one.
    static func of(_ problem: Problem) -> Self? {
        switch problem.code {
        case "activity.excessive_activities": .excessiveActivities
        case "activity.interval_too_long": .intervalTooLong
        case "activity.interval_too_short": .intervalTooShort
        // A threshold is made of date components, too.
        case "activity.invalid_date_components", "activity.bad_threshold", "activity.bad_warning":
            .invalidDateComponents
        case "activity.unauthorized", "auth.unauthorized": .unauthorized
        default: nil
        }
    }
}
