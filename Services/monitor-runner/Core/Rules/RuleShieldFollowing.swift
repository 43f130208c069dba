import STContracts
import STEngine

/// What shield-service tells of the stores and lists of the rules: what somebody else changes is put right at once.
enum RuleShieldFollowing {
    static let subscription = Subscription<MonitorState>(
        source: .shield,
        stream: .policy,
        reset: { state, _ in
            // A database that was lost tells of nothing, and had something.
            if !state.rules.shields.asked.isEmpty { state.rules.shields.doubts += 1 }
        },
        apply: { state, event, _ in
            switch event.header.type {
            case PolicyStoreChanged.type: state.rules.shields.hear(try event.decoded(PolicyStoreChanged.self))
            case PolicyAllowedChanged.type:
                state.rules.shields.hear(try event.decoded(PolicyAllowedChanged.self))
            default: return
            }
        }
    )
}
