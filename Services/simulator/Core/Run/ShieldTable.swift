import STContracts
import STPlatform

/// What the desktop knows to be shielded, until the policy changes.
struct ShieldTable {
    /// What somebody looks at.
    struct Sight: Hashable {
        var member: String
        var app: String?
        var site: String?

        /// Nil where there is nothing that could be shielded.
        init?(_ sight: ScenarioPlan.Sight) {
            guard sight.presence == .active, sight.app != nil || sight.site != nil else { return nil }
            member = sight.member
            app = sight.app
            site = sight.site
        }

        var subject: ShieldSubject { ShieldSubject(app: app, domain: site) }
    }

    private var verdicts: [Sight: Bool] = [:]
    /// Where what is shielded belongs.
    private var categories: [Sight: String] = [:]

    func knows(_ sight: Sight) -> Bool { verdicts[sight] != nil }

    func isShielded(_ sight: ScenarioPlan.Sight) -> Bool {
        Sight(sight).map { verdicts[$0] ?? false } ?? false
    }

    func category(_ sight: Sight) -> String? { categories[sight] }

    mutating func learn(_ sight: Sight, _ reply: ShieldDecide.Reply) {
        verdicts[sight] = reply.decision.isShielded
        categories[sight] = reply.decision.isShielded ? reply.category : nil
    }

    mutating func forget() {
        verdicts = [:]
        categories = [:]
    }
}
