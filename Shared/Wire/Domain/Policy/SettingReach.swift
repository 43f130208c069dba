/// What a Linux computer can do about a setting.
package enum SettingReach: String, Sendable {
    case enforced
    /// Kept and combined; what would act on it is not part of this system yet.
    case later
    /// Kept and combined; there is nothing on a Linux computer that it could act on.
    case notPossible = "not_possible"
}
