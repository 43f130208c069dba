package import STContracts
package import STFollowing
package import STPlatform

/// The state of activity-center in memory, with all that the next observation needs.
package struct ActivityState: Sendable, Equatable {
    package struct Run: Sendable, Hashable {
        package var agent: String
        package var run: String
    }

    package var household = Household()
    /// Limits on activities, from the configuration.
    package var limits = ActivityLimits()
    package var activities = WatchedActivities()
    /// The rules that people make without writing code.
    package var rules = RuleState()
    /// The rules that changed since the last update of activities and decisions. `nil` means all rules, as after a start.
    var uncheckedRules: Set<String>?
    package var categories = Categories()
    package var timelines: [String: Timeline] = [:]
    /// The members whose timelines have changed since they were saved.
    var unsaved: Set<String> = []
    package var lastSequence: [Run: Int64] = [:]
    /// The wall time at which each agent reported for the first time.
    package var agents: [String: WallTime] = [:]
    package var chain = LedgerChain()
    package var history = HistoryLog()
    /// Wall time of the last history line about a stopped agent, by member.
    var stopReports: [String: WallTime] = [:]
    var ledgerTexts = LedgerTexts()
    /// The devices whose past usage was imported, in the order of their ids.
    package var devices: [ImportedDevice] = []
    package var remoteUsage = RemoteUsageTracker()
    /// The categories that are the same on all machines of the household.
    package var agreed = AgreedSettings()

    /// The moment of the next update of intervals and rules.
    package struct NextDue: Sendable, Equatable {
        package var moments = Deadlines()
        /// The zone of the present intervals. `nil` while nothing is watched.
        package var zone: String?
    }

    package func nextDue(bootID: String) -> NextDue {
        let due = [activities.dueTime, rules.intervalCheck].compactMap(\.self).min()
        return NextDue(
            moments: ScheduledRuleChanges.due(rules, bootID: bootID).merged(with: Deadlines(wallMs: due?.ms)),
            zone: activities.activities.isEmpty ? nil : activities.clock?.zone
        )
    }

    /// Returns a member's usage that is not in the ledger yet, up to the latest reports. It belongs to the current boot, or to
    /// another one that an agent still reports or a script plays.
    func openIntervals(of member: String) -> [UsageInterval] {
        timelines[member]?.open.map { UsageInterval($0) } ?? []
    }

    /// Returns the usage of a member that is under way, here and on other machines of the household.
    func ongoingIntervals(_ member: String) -> [UsageInterval] {
        openIntervals(of: member) + remoteUsage.intervals(of: member)
    }
}
