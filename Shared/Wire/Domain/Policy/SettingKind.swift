/// What a setting takes.
package enum SettingKind: Sendable, Hashable {
    case bool
    case integer(ClosedRange<Int64>)
    case cookies
    case apps
    case domains
    case appPolicy
    case domainPolicy
    case filter
    /// Words of a rule; no app may set it.
    case note
}
