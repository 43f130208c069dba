package import STContracts

/// Decides whether a system of processes is idle.
///
/// The status of all processes cannot be read at one instant. The judge therefore compares two rounds of requests. The system is
/// idle if all processes are idle in both rounds, nothing changed between them, and all sent messages were received.
package struct IdleDetector: Sendable {
    package enum Verdict: Sendable, Equatable {
        case idle
        /// A sentence with the process that is not idle and the reason.
        case busy(String)
    }

    /// The number of rounds without any change after which missing messages count as lost. A killed process loses its counts, so
    /// these messages never arrive.
    private static let roundsToForget = 12

    private var last: StatusRound?
    private var equalRounds = 0
    /// The number of lost messages.
    private var lost: Int64 = 0

    package init() {}

    package mutating func add(_ wave: StatusRound) -> Verdict {
        let news = last.flatMap { wave.difference(since: $0) }
        let isEqual = last != nil && news == nil
        equalRounds = isEqual ? equalRounds + 1 : 0
        last = wave
        if let reason = wave.busyReason { return .busy(reason) }
        guard isEqual else { return .busy("something has just happened" + (news ?? "")) }
        if wave.inTransit == lost { return .idle }
        guard equalRounds >= Self.roundsToForget else {
            return .busy("\(wave.inTransit - lost) messages are still on their way")
        }
        lost = wave.inTransit
        return .idle
    }

    /// Discards earlier rounds, because something is about to happen.
    package mutating func reset() {
        last = nil
        equalRounds = 0
    }
}

/// The status of every process in one round of requests, and the message counts of the requesting side.
package struct StatusRound: Sendable, Equatable {
    package var statuses: [ClockStatus.Reply]
    /// The requesting side's own messages. They are part of the sums.
    package var ownSent: Int64
    package var ownHandled: Int64
    package var ownOpen: Int64

    package init(statuses: [ClockStatus.Reply], ownSent: Int64 = 0, ownHandled: Int64 = 0, ownOpen: Int64 = 0)
    {
        self.statuses = statuses
        self.ownSent = ownSent
        self.ownHandled = ownHandled
        self.ownOpen = ownOpen
    }

    /// Returns the first difference from an earlier round, as text for troubleshooting. Returns `nil` if there is none.
    func difference(since before: StatusRound) -> String? {
        guard self != before else { return nil }
        let changed = zip(before.statuses, statuses).first { $0 != $1 }
        guard let (old, new) = changed else { return " to the simulation itself" }
        return " in \(new.service): \(old) became \(new)"
    }

    /// The number of messages that were sent and have not arrived.
    var inTransit: Int64 {
        statuses.reduce(ownSent) { $0 + $1.sent } - statuses.reduce(ownHandled) { $0 + $1.handled }
    }

    /// The process that is not idle and the reason. `nil` if all are idle.
    var busyReason: String? {
        if ownOpen > 0 { return "\(ownOpen) requests of the simulation's own wait for an answer" }
        for status in statuses {
            if let reason = Self.reason(status) ?? lag(of: status) { return "\(status.service) \(reason)" }
        }
        return nil
    }

    private static func reason(_ status: ClockStatus.Reply) -> String? {
        if status.busy > 0 {
            return "is doing \(status.busy) things by itself, such as making a delivery"
        }
        if status.jobs > 0 { return "still has \(status.jobs) things to write down" }
        if status.open > 0 {
            let routes = status.openRoutes?.joined(separator: ", ") ?? ""
            return "has \(status.open) requests that wait for an answer: \(routes)"
        }
        return nil
    }

    /// Returns the service's backlog of events, as text. Streams of services outside the simulation are ignored.
    private func lag(of status: ClockStatus.Reply) -> String? {
        for cursor in status.cursors {
            guard let source = statuses.first(where: { $0.service == cursor.source }) else { continue }
            guard let head = source.heads.first(where: { $0.stream == cursor.at.stream }) else { continue }
            let isThere = cursor.at.sequence == head.sequence
            guard isThere, head.sequence == 0 || cursor.at.epoch == head.epoch else {
                return "has applied \(cursor.at.sequence) of \(head.sequence) events of \(head.stream)"
            }
            guard cursor.isLive else { return "is catching up with \(head.stream)" }
        }
        return nil
    }
}
