package import STContracts

/// What is told of one moment: who is there, and what is in front of them.
package struct Sight: Sendable, Hashable {
    package var presence: Presence
    package var app: String?
    package var isShielded: Bool

    /// Nobody who is not there looks at anything.
    package init(presence: Presence, app: String? = nil, isShielded: Bool = false) {
        self.presence = presence
        self.app = presence == .active ? app : nil
        self.isShielded = isShielded && self.app != nil
    }
}
