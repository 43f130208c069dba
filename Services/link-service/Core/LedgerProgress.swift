package import STContracts
package import STPlatform

/// The place in this machine's ledger from which the next rows are sent. The household's cursor is the first
/// place.
package struct LedgerProgress: Sendable {
    private static let surprisesMax = 3

    private var after: HouseholdCursor
    /// The next page of the snapshot.
    private var next: String?
    /// The number of times that sending had to continue from another place.
    private var restarts = 0

    package init(after cursor: HouseholdCursor) { after = cursor }

    package var canContinue: Bool { restarts < Self.surprisesMax }

    /// True if the whole ledger is read from a snapshot, which also contains rows that `events.since` no
    /// longer returns.
    package var isFromBeginning: Bool { after.epoch == nil }

    package var snapshotRequest: EventsSnapshot.Request {
        EventsSnapshot.Request(stream: StreamName.usage.rawValue, next: next)
    }

    package var eventsRequest: EventsSince.Request {
        EventsSince.Request(
            stream: StreamName.usage.rawValue,
            epoch: after.epoch,
            sequence: after.sequence,
            id: after.id
        )
    }

    /// Starts from the beginning if the cursor is no longer valid: the ledger is new, a part of the ledger
    /// was deleted, or the machine was offline for long. Returns false for other problems.
    package mutating func restart(after problem: Problem) -> Bool {
        let invalid = ["epoch.changed", "cursor.too_old", "snapshot.moved"]
        guard invalid.contains(problem.code) else { return false }
        restarts += 1
        (after, next) = (HouseholdCursor(), nil)
        return true
    }

    package mutating func read(_ page: EventPage) throws -> UsagePage {
        next = page.next
        return try UsagePage(page, after: after)
    }

    /// Continues after a page, at the cursor that the household has returned. Returns true if the household
    /// has the whole ledger.
    package mutating func advance(behind page: UsagePage, to cursor: HouseholdCursor) -> Bool {
        if page.isWhole, cursor == page.through { return true }
        if cursor == (page.isWhole || !isFromBeginning ? page.through : after) {
            after = cursor
        } else {
            restarts += 1
            (after, next) = (cursor, nil)
        }
        return false
    }

    /// A request for the household's cursor. The household stores nothing, because no ledger has this place.
    package static func cursorRequest(at now: WallTime) -> HouseholdPush.Request {
        let nowhere = HouseholdCursor(epoch: "unsaid", sequence: 0)
        return HouseholdPush.Request(
            after: nowhere,
            through: nowhere,
            rows: [],
            open: [],
            isWhole: false,
            wallMs: now.ms
        )
    }

    package static let outOfStep = Problem(
        "household.out_of_step",
        "The household and this machine do not agree on how much the household has received. Screen Time tries again.",
        retryable: true
    )
}
