/// What a setting is set to, by canonical names.
package enum SettingValue: Sendable, Hashable {
    case bool(Bool)
    case integer(Int64)
    case cookies(CookiePolicy)
    /// Apps, or sites.
    case names(Set<String>)
    case policy(CategoryPolicy)
    case filter(WebFilter)
    case note(ShieldNote)
}
