package import STContracts

/// Says when nothing moves in a system of processes any more.
///
/// Processes cannot be asked all at one instant. But when each of them is at rest twice in a row, has done nothing in
/// between, and as many messages have come as have left, then nothing was on its way between the two rounds either.
package struct QuietJudge: Sendable {
    package enum Verdict: Sendable, Equatable {
        case quiet
        /// A sentence about who is not at rest.
        case restless(String)
    }

    /// After this many rounds without any change, what is missing will not come: a process that was killed takes its
    /// counts with it.
    private static let roundsToForget = 12

    private var last: ClockWave?
    private var equalRounds = 0
    /// Messages that left and will never come.
    private var lost: Int64 = 0

    package init() {}

    package mutating func hear(_ wave: ClockWave) -> Verdict {
        let news = last.flatMap { wave.news(since: $0) }
        let isEqual = last != nil && news == nil
        equalRounds = isEqual ? equalRounds + 1 : 0
        last = wave
        if let reason = wave.restless { return .restless(reason) }
        guard isEqual else { return .restless("something has just happened" + (news ?? "")) }
        if wave.onTheirWay == lost { return .quiet }
        guard equalRounds >= Self.roundsToForget else {
            return .restless("\(wave.onTheirWay - lost) messages are still on their way")
        }
        lost = wave.onTheirWay
        return .quiet
    }

    /// Something is going to happen: what was seen before says nothing about it.
    package mutating func forget() {
        last = nil
        equalRounds = 0
    }
}

/// What every process of a system said of itself in one round of questions, and what the one who asked says of itself.
package struct ClockWave: Sendable, Equatable {
    package var statuses: [ClockStatus.Reply]
    /// The asking side's own messages, which belong to the sums too.
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

    /// What is different now, in words for a person who looks for the reason; nil when all is the same.
    func news(since before: ClockWave) -> String? {
        guard self != before else { return nil }
        let changed = zip(before.statuses, statuses).first { $0 != $1 }
        guard let (old, new) = changed else { return " to the simulation itself" }
        return " in \(new.service): \(old) became \(new)"
    }

    /// Messages that were sent and have not arrived.
    var onTheirWay: Int64 {
        statuses.reduce(ownSent) { $0 + $1.sent } - statuses.reduce(ownHandled) { $0 + $1.handled }
    }

    /// The service that is not at rest, and why; nil when all are.
    var restless: String? {
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

    /// A stream of a service that takes no part is not waited for.
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
