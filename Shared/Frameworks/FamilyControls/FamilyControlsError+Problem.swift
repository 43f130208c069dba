import STContracts
import STPlatform

extension FamilyControlsError {
    /// Apple's error for a refusal; the log has the reason in words.
    static func of(_ problem: Problem) -> FamilyControlsError { unlessOther(problem) ?? .unavailable }

    /// The same, or nil for a refusal that Apple does not have.
    static func unlessOther(_ problem: Problem) -> FamilyControlsError? {
        switch problem.code {
        case "auth.canceled": .authorizationCanceled
        case "auth.no_method": .authenticationMethodUnavailable
        case "auth.invalid_account_type": .invalidAccountType
        case "auth.conflict": .authorizationConflict
        case "auth.unauthorized": .unauthorized
        case "access.denied", "auth.proof_needed", "auth.too_many_questions", "app.reserved_id": .restricted
        case "deadline.exceeded": .networkError
        case "app.not_installed", "app.bad_id", "member.not_found": .invalidArgument
        // An extension may read the status, and cannot ask.
        case let code where code.hasPrefix("extension."): .restricted
        case let code where code.hasPrefix("body."): .invalidArgument
        case let code where code.hasPrefix("service.") || code == "unavailable": .unavailable
        default: nil
        }
    }
}

extension AuthorizationStatus {
    /// Where access was switched off, the app has none.
    init(_ word: Authorization) {
        switch word.status {
        case .approved: self = word.access ? .approved : .denied
        case .denied: self = .denied
        case .notDetermined, .unknown: self = .notDetermined
        }
    }
}
