import STContracts

/// One step on the way from something seen to a shield.
struct WhyStep: WireBody, Codable, Equatable {
    enum Kind: String, Codable {
        /// What the desktop saw.
        case observation
        /// An interval began or ended, or a budget was used up.
        case occasion
        /// The extension or rule that was called.
        case callback
        /// The store that was changed, and the policy that came of it.
        case setting
        /// A person did it: by a command, a button, or a permission.
        case person
        /// It went up before somebody.
        case shown
    }

    var kind: Kind
    var wallMs: Int64
    var text: String
    /// What it can be looked up by: a delivery, a segment, a policy number.
    var id: String?
}
