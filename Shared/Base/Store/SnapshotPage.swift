/// A part of the newest event of every subject, as of one position.
package struct SnapshotPage: Sendable, Equatable {
    package var events: [StoredEvent]
    /// Where the snapshot ends: the value for the next page, and the cursor to go on from after the last one.
    package var through: StreamPosition
    package var more: Bool

    package init(events: [StoredEvent], through: StreamPosition, more: Bool) {
        self.events = events
        self.through = through
        self.more = more
    }
}
