package import STContracts
package import STFollowing
package import STPlatform

/// The household, and the state of the desktop. The history of notifications stays in the database.
package struct NotifierState: Sendable, Equatable {
    package var household = Household()
    /// The last report of `DeliveryLoop`. It is not saved.
    package var desktop = NotifyDesktop(state: .unknown)
    /// Number of notifications that wait, have failed, or have possibly been seen.
    var counts: [NotifyState: Int64] = [:]
    /// The language of notifications that Screen Time itself writes.
    package var language = DisplayLanguage.english

    /// Returns the recipients of a line of the history: the guardians of a child.
    ///
    /// For lost records it is the owner, if there is no child or no guardian.
    func recipients(of line: HistoryLine) -> [String] {
        guard line.isForGuardian else { return [] }
        // Changes that adults make for themselves are private.
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

    /// The note on a waiting notification that has no other note.
    var waitingNote: Message? {
        switch desktop.state {
        case .absent:
            NotifySteps.waitingNote(
                desktop.note ?? Message("notification.no-desktop-found", "Screen Time found no desktop.")
            )
        case .ready, .off, .unknown: nil
        }
    }
}
