import STContracts
import STEngine

/// Where the ledger and what is counted from it meet, inside the change that writes the time down.
enum LedgerSeam {
    /// The category of what is in front, as of the beginning of a request.
    static func categories(_ state: ActivityState) -> (String?, String?) -> String? {
        { [categories = state.categories] app, domain in categories.category(app: app, domain: domain) }
    }

    /// A piece of a member's time has become known: in order, without holes, each moment once.
    static func passed(
        _ stretch: Stretch,
        zone: String,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        if state.book.activities.isEmpty { return }
        try ActivityRules.tell(state.book.count(stretch), change)
    }

    /// This is in front of a member from now on, or still.
    static func seen(_ open: Segment, _ state: inout ActivityState, _ change: StoreTransaction) throws {
        if state.book.activities.isEmpty { return }
        try ActivityRules.tell(
            state.book.use(Stretch(open, fromBootMs: open.endBootMs, toBootMs: open.endBootMs)),
            change
        )
    }

    /// The boot time at which the agent should say "still so", because something may be due then.
    static func checkAt(_ open: Segment, _ state: ActivityState) -> Int64? {
        state.book.checkAtBootMs(Stretch(open, fromBootMs: open.startBootMs, toBootMs: open.endBootMs))
    }

    /// The contents of these stretches are deleted: nothing else may go on holding them.
    static func forgotten(
        _ segments: [String],
        of member: String,
        _ state: inout ActivityState,
        _ change: StoreTransaction
    ) throws {
        state.book.forget(segments: Set(segments), of: member)
    }
}
