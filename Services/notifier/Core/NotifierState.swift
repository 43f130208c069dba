package import STContracts
package import STFollowing
package import STPlatform

/// The household, and whether a desktop shows notifications; the history itself stays in the database.
package struct NotifierState: Sendable, Equatable {
    package var household = Household()
    /// What `DeliveryLoop` said last; it does not outlive the process.
    package var desktop = NotifyDesktop(state: .unknown)
    /// How many notifications wait, have failed, or may or may not have been seen.
    var counts: [NotifyState: Int64] = [:]
    /// Of notifications that Screen Time itself writes.
    package var language = WordLanguage.english

    /// Who must know of a line of the history: the guardians of a child, and of lost records the owner where there is none.
    func recipients(of line: HistoryLine) -> [String] {
        guard line.isForGuardian else { return [] }
        // What adults change for themselves is their own affair.
        if let member = line.member,
            household.members.contains(where: { $0.name == member && $0.role != .child })
        {
            return []
        }
        let guardians = household.members.filter { $0.role == .guardian }.map(\.name)
        if household.members.contains(where: { $0.role == .child }), !guardians.isEmpty {
            return guardians.filter { $0 != line.by }
        }
        return line.isOfRecords ? [household.owner].compactMap(\.self) : []
    }

    /// What a person should know of one that waits and has no other note.
    var waitingNote: Message? {
        switch desktop.state {
        case .absent:
            NotifySteps.waits(
                desktop.note ?? Message("notification.no-desktop-found", "Screen Time found no desktop.")
            )
        case .ready, .off, .unknown: nil
        }
    }
}
