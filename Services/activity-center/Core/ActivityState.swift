package import STContracts
package import STFollowing
package import STPlatform

/// The memory of activity-center: what it needs to take the next observation.
package struct ActivityState: Sendable, Equatable {
    package struct Run: Sendable, Hashable {
        package var agent: String
        package var run: String
    }

    package var household = Household()
    /// Limits on activities, from the configuration.
    package var limits = ActivityLimits()
    package var book = ActivityBook()
    /// The rules that people make without writing code.
    package var rules = RuleBook()
    /// The rules that changed since the last update of activities and decisions. Nil means all rules, as after a start.
    var uncheckedRules: Set<String>?
    package var categories = CategoryBook()
    /// By member.
    package var timelines: [String: Timeline] = [:]
    /// Whose timelines have changed since they were written.
    var unsaved: Set<String> = []
    package var lastSequence: [Run: Int64] = [:]
    /// When each agent was first seen, in wall time.
    package var agents: [String: Int64] = [:]
    package var chain = LedgerChain()
    package var history = HistoryBook()
    /// Wall time of the last history line about a stopped agent, by member.
    var stopReportWallMs: [String: Int64] = [:]
    var ledgerWords = LedgerWords()
    /// The devices whose past was imported, in the order of their ids.
    package var devices: [ImportedDevice] = []
    package var elsewhere = ElsewhereUse()
    /// The categories that all machines of the household have the same.
    package var agreed = AgreedSettings()

    /// The moment of the next update of intervals and rules.
    package struct NextDue: Sendable, Equatable {
        package var moments = DueMoments()
        /// The zone that intervals are cut in now; nil while nothing is watched.
        package var zone: String?
    }

    package func nextDue(bootID: String) -> NextDue {
        let dueMs = [book.dueWallMs, rules.intervalCheckWallMs].compactMap(\.self).min()
        return NextDue(
            moments: RuleWaiting.due(rules, bootID: bootID).merged(with: DueMoments(wallMs: dueMs)),
            zone: book.activities.isEmpty ? nil : book.clock?.zone
        )
    }

    /// What is in front of a member now and not in the ledger yet, as far as the agents have reported: of this start of the
    /// machine, and of another one that an agent still reports or plays.
    func openStretches(of member: String) -> [Stretch] {
        timelines[member]?.open.map { Stretch($0) } ?? []
    }

    /// What a member uses now, here and on other machines of the household.
    func underWay(_ member: String) -> [Stretch] {
        openStretches(of: member) + elsewhere.stretches(of: member)
    }
}
