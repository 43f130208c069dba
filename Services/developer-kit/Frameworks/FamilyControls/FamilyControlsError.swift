public import Foundation
import STContracts
import STPlatform

public enum FamilyControlsError: Int, LocalizedError, CustomNSError, Equatable, Hashable, Sendable {
    case restricted, unavailable, invalidAccountType, invalidArgument, authorizationConflict
    case authorizationCanceled, networkError

    /// No passcode is set, so people cannot authenticate.
    case authenticationMethodUnavailable, unauthorized

    public var errorDescription: String? {
        switch self {
        case .restricted: "A rule of this computer does not let the app ask for permission."
        case .unavailable: "Screen Time is not running or did not answer. Start it with: screentime system up"
        case .invalidAccountType:
            "The member is not a child of this household. See: screentime member list"
        case .invalidArgument:
            "The request is not valid. The app's log says what is wrong: screentime app log APP"
        case .authorizationConflict: "Another app already has this permission, and only one can."
        case .authorizationCanceled: "The person did not allow it, or did not answer in time."
        case .networkError: "A service of Screen Time could not be reached. See: screentime status"
        case .authenticationMethodUnavailable:
            "There is no passcode to prove who answers. Set one with: screentime member passcode NAME"
        case .unauthorized: "The app has no permission. It can ask for it with requestAuthorization(for:)."
        }
    }

    /// The same domain as on a phone.
    public static var errorDomain: String { "FamilyControls.FamilyControlsError" }

    public var errorCode: Int { rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }

    /// Returns Apple's error for a failed request. The log contains the reason.
    static func of(_ problem: Problem) -> FamilyControlsError { unlessOther(problem) ?? .unavailable }

    /// Returns Apple's error for a failed request, or `nil` if Apple has no such error.
    static func unlessOther(_ problem: Problem) -> FamilyControlsError? {
        switch problem.code {
        case "auth.canceled": .authorizationCanceled
        case "auth.no_method": .authenticationMethodUnavailable
        case "auth.invalid_account_type": .invalidAccountType
        case "auth.conflict": .authorizationConflict
        case "auth.unauthorized": .unauthorized
        case "access.denied", "access.passcode_elsewhere", "auth.proof_needed", "auth.too_many_questions",
            "app.reserved_id":
            .restricted
        case "deadline.exceeded": .networkError
        case "app.not_installed", "app.bad_id", "member.not_found": .invalidArgument
        // An extension can read the status but cannot request permission.
        case let code where code.hasPrefix("extension."): .restricted
        case let code where code.hasPrefix("body."): .invalidArgument
        case let code where code.hasPrefix("service.") || code == "unavailable": .unavailable
        default: nil
        }
    }
}

extension AuthorizationStatus {
    /// Creates a status. Approved access that was switched off counts as denied.
    init(_ word: Authorization) {
        switch word.status {
        case .approved: self = word.access ? .approved : .denied
        case .denied: self = .denied
        case .notDetermined, .unknown: self = .notDetermined
        }
    }
}
