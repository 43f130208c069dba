import STContracts
import STDomain
import STEngine
import STPlatform

/// Grants as a part of policy.
enum GrantLog {
    /// Takes a grant that began or ended into what is in force, and tells it.
    static func tell(_ request: MoreTime, _ state: inout ShieldState, _ change: StoreTransaction) throws {
        let number = state.policy.number + 1
        try change.emit(
            PolicyGrantChanged.self,
            subject: "grant/\(request.name)",
            PolicyGrant(
                policy: number,
                request: request.view,
                wallMs: change.now.wallMs,
                cause: change.cause
            )
        )
        state.policy.reach(number)
        take(request, into: &state.policy)
    }

    static func take(_ request: MoreTime, into policy: inout PolicyBook) {
        guard request.state == .granted, let ends = request.ends else {
            policy.end(grant: request.name, member: request.member)
            return
        }
        policy.set(
            TimeGrant(
                request: request.name,
                member: request.member,
                things: things(request.items),
                untilMs: ends.wallMs
            )
        )
    }

    private static func things(_ items: [TokenItem]) -> ThingSet {
        var things = ThingSet()
        for item in items {
            switch item.kind {
            case .application: things.apps.insert(item.id)
            case .category: things.categories.insert(item.id)
            case .domain: things.domains.insert(item.id)
            // Whoever does not understand a thing does not let it pass.
            case .unknown: continue
            }
        }
        return things
    }
}
