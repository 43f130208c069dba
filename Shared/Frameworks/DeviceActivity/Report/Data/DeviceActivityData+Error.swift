public import Foundation
import STPlatform

extension DeviceActivityData {
    /// How fresh the use has to be.
    public enum Policy: Hashable, Sendable {
        /// What is known already.
        case cached

        /// Up to this moment; here what is known always is.
        case live
    }

    /// Why use could not be read.
    public enum Error: LocalizedError, Hashable, Sendable {
        /// Screen Time does not answer.
        case unavailable

        /// The app has no permission to read it.
        case unauthorized

        /// The answer is not whole.
        case missingData

        /// What to tell a person.
        public var errorDescription: String? {
            switch self {
            case .unavailable: "Screen Time does not answer."
            case .unauthorized: "The app has no permission to read what is used."
            case .missingData: "What is used could not be read in full."
            }
        }

        /// What to do about it.
        public var recoverySuggestion: String? {
            switch self {
            case .unavailable: "Start it: screentime system up"
            case .unauthorized: "Call AuthorizationCenter.shared.requestAuthorization(for:) first."
            case .missingData: "Ask again; the log says what was wrong."
            }
        }

        /// Apple's error for a refusal.
        static func of(_ problem: Problem) -> Self {
            switch problem.code {
            case "service.not_running", "deadline.exceeded", "service.busy": .unavailable
            case let code where code.hasPrefix("auth.") || code.hasSuffix(".unauthorized"): .unauthorized
            default: problem.retryable ? .unavailable : .missingData
            }
        }
    }
}
