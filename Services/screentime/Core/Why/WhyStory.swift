import STContracts

/// Why something is shielded, or is not: all that `screentime why` tells.
struct WhyStory: WireBody, Codable, Equatable {
    var subject: String
    var isNow: Bool
    var explained: ShieldExplain.Reply
    var chains: [WhyChain]
    /// The last time that it was shown, and what was seen then.
    var shown: [WhyStep]
    /// What it counts towards, where nothing shields it.
    var budgets: [WhyBudget]
}
