/// The events that follow a position, without gaps.
package struct SincePage: Sendable, Equatable {
    package var events: [StoredEvent]
    package var head: StreamHead
    /// Whether there are events between the last of these and the head.
    package var more: Bool

    package init(events: [StoredEvent], head: StreamHead, more: Bool) {
        self.events = events
        self.head = head
        self.more = more
    }
}
