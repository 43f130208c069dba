package import STContracts
package import STDesktop

/// What the director of shields wants done.
package enum ShieldOrder: Sendable, Equatable {
    case screen([DesktopAct])
    /// `counts`: a person stands before it from `wallMs` on.
    case askLook(app: String, ticket: Int64, counts: Bool, wallMs: Int64)
    case press(app: String, shield: String, button: ShieldButton, press: Int64)
    case requestTime(app: String, shield: String?, durationMs: Int64)
    /// One at a time; the output's path is whoever draws it to choose.
    case draw(PictureKey, DrawRequest)
    /// Files that nobody needs any more.
    case forget([String])
    case verdict(app: String, pids: [Int32])
    case pause(app: String, pids: [Int32])
    case thaw(app: String)
    case underway(app: String, pids: [Int32])
    case end(app: String, pids: [Int32])
    /// In front of these is a shield.
    case shielded(Set<String>)
    case notify(ShieldNotice)
    /// How more time could be asked for is to be found out anew.
    case askOffer
}
