import Foundation

extension DeviceActivityCenter {
    /// Why monitoring could not begin.
    public enum MonitoringError: LocalizedError, Equatable, Hashable, Sendable {
        /// The app already watches as many activities as it may.
        case excessiveActivities

        /// The interval is longer than a week.
        case intervalTooLong

        /// The interval is shorter than fifteen minutes.
        case intervalTooShort

        /// The times of the schedule do not fit together, or never come.
        case invalidDateComponents

        /// The app has no permission.
        case unauthorized

        /// What to tell a person.
        public var errorDescription: String? {
            switch self {
            case .excessiveActivities: "The app already watches as many activities as it may."
            case .intervalTooLong: "The activity's interval is too long."
            case .intervalTooShort: "The activity's interval is too short."
            case .invalidDateComponents: "The schedule's times do not fit together, or never come."
            case .unauthorized: "The app has no permission to watch activities."
            }
        }

        /// What to do about it.
        public var recoverySuggestion: String? {
            switch self {
            case .excessiveActivities:
                "Stop activities that are no longer needed, or give one several events."
            case .intervalTooLong: "Make the interval a week or shorter."
            case .intervalTooShort: "Make the interval fifteen minutes or longer."
            case .invalidDateComponents:
                "Give both ends the same units: hour, minute and second, or a full date in the future."
            case .unauthorized: "Call AuthorizationCenter.shared.requestAuthorization(for:) first."
            }
        }
    }
}
