import STContracts
import STPlatform

/// The input of an exchange of rules or requests with the household. A changed input starts another exchange.
package struct ExchangeInput: Sendable, Equatable {
    /// Identifies the household, its numbering, and this machine's stay in it.
    var household: String
    /// The counts of changes on this machine and in the household.
    var changes: Int
    var news: Int64
    var accounts: [HouseholdAccount]
    var children: [String] = []
    var share: LinkShare

    /// Returns `nil` until the household has reported its numbers, and all members of this machine are known.
    private init?(
        _ state: LinkServiceState,
        _ membership: LinkServiceState.Membership,
        changes: Int,
        news: Int64?
    ) {
        guard let news, let places = state.membership?.places, state.children != nil else { return nil }
        let household = [TextFormat.hex(membership.firstServer), places, membership.number]
        self.household = household.joined(separator: "/")
        (self.changes, self.news) = (changes, news)
        accounts = membership.accounts.filter { state.sharesRules(of: $0) }
        share = membership.share
    }

    package static func rules(
        _ state: LinkServiceState,
        _ membership: LinkServiceState.Membership,
        news: Int64?
    ) -> Self? {
        guard var input = Self(state, membership, changes: state.ruleChanges, news: news) else { return nil }
        let children = state.children ?? []
        input.children = input.accounts.filter { children.contains($0.here) }.map(\.member)
        return input
    }

    package static func requests(
        _ state: LinkServiceState,
        _ membership: LinkServiceState.Membership,
        news: Int64?
    ) -> Self? {
        Self(state, membership, changes: state.requestChanges, news: news)
    }
}
