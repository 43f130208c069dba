public import Foundation

/// Why permission could not be had.
public enum FamilyControlsError: Int, LocalizedError, CustomNSError, Equatable, Hashable, Sendable {
    /// A rule of this computer forbids it.
    case restricted

    /// The system does not run, or did not answer.
    case unavailable

    /// The member is not of the kind that was asked for.
    case invalidAccountType

    /// Something in the request makes no sense.
    case invalidArgument

    /// Another app has what only one can have.
    case authorizationConflict

    /// The person refused, or did not answer.
    case authorizationCanceled

    /// A service could not be reached.
    case networkError

    /// Nobody set up a passcode, so nobody can prove who they are.
    case authenticationMethodUnavailable

    /// The app has no permission.
    case unauthorized

    /// What to tell a person.
    public var errorDescription: String? {
        switch self {
        case .restricted: "A rule of this computer does not let the app ask for permission."
        case .unavailable: "Screen Time does not run or did not answer. Start it with: screentime system up"
        case .invalidAccountType:
            "The member is not a child of this household. See: screentime member list"
        case .invalidArgument:
            "The request cannot be right. The app's log says what is wrong: screentime app log"
        case .authorizationConflict: "Another app already has this permission, and only one can."
        case .authorizationCanceled: "The person did not allow it, or did not answer in time."
        case .networkError: "A service of Screen Time could not be reached. See: screentime status"
        case .authenticationMethodUnavailable:
            "There is no passcode to prove who answers. Set one with: screentime member passcode NAME"
        case .unauthorized: "The app has no permission. It can ask for it with requestAuthorization(for:)."
        }
    }

    /// The domain of these errors, as on a phone.
    public static var errorDomain: String { "FamilyControls.FamilyControlsError" }

    /// The raw value.
    public var errorCode: Int { rawValue }

    /// The description, for those who look there.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
}
