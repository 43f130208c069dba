package import STDomain

/// What is decided about one app, as far as its shield on the screen goes.
package struct ShieldWord: Sendable, Equatable {
    package var isShielded: Bool
    /// The app whose store came first: the look may be its own.
    package var by: String?
    package var store: String?
    /// The change of policy up to which this is known: the words of a look may be of any store that shields the app.
    package var policy: Int64

    package init(isShielded: Bool, by: String? = nil, store: String? = nil, policy: Int64 = 0) {
        self.isShielded = isShielded
        self.by = by
        self.store = store
        self.policy = policy
    }

    package init(_ decision: ShieldDecision, policy number: Int64) {
        // Nothing is said on what nobody shields.
        policy = decision.isShielded ? number : 0
        isShielded = decision.isShielded
        by = decision.isShielded ? decision.causes.first?.store.app : nil
        store = decision.isShielded ? decision.causes.first?.store.store : nil
    }

    package static let allowed = ShieldWord(isShielded: false)
}
