package import STContracts
package import STPlatform

/// All requests for more time, and the rules by which they are answered.
package struct RequestBook: Sendable, Equatable {
    /// Of one member at a time.
    package static let waitingMax = 20
    /// Those that are over are kept for a while, the latest of all members.
    package static let keptMax = 200
    /// Days of which grants are counted, for a clock that is set forth and back.
    package static let daysMax = 31

    package var requests: [Int64: MoreTime] = [:]
    package var lastNumber: Int64 = 0
    package var rules: [String: OwnRule] = [:]
    /// What each member's own rule has granted, by local day such as `2026-11-20`.
    package var days: [String: [String: Int]] = [:]
    package var keys: [String: CodeKey] = [:]
    /// By which days are counted; nil before the first grant.
    package var dayClock: DayClock?

    package init() {}

    package func rule(of member: String, isChild: Bool) -> RequestRule {
        rules[member]?.rule ?? OwnRule.standard(member, isChild: isChild)
    }

    package func waiting(of member: String) -> [MoreTime] {
        requests.values.filter { $0.member == member && $0.state == .waiting }
    }

    package func granted(_ member: String, day: String) -> Int { days[member]?[day] ?? 0 }

    /// What of a day's grants is spoken for: those that were given, and those that wait for their moment.
    package func spokenFor(_ member: String, day: String) -> Int {
        granted(member, day: day) + waiting(of: member).count { $0.grants != nil }
    }

    package mutating func grant(
        _ number: Int64,
        forMs: Int64,
        by: String,
        _ now: TimeReading,
        bootID: String
    ) -> MoreTime? {
        guard var request = requests[number] else { return nil }
        request.state = .granted
        request.answeredMs = now.wallMs
        request.answeredBy = by
        request.fromMs = now.wallMs
        request.ends = SteadyMoment(afterMs: forMs, from: now, bootID: bootID)
        requests[number] = request
        return request
    }

    /// Ends a request that waits or was granted.
    package mutating func close(_ number: Int64, as state: RequestState, _ now: TimeReading) -> MoreTime? {
        guard var request = requests[number] else { return nil }
        if let fromMs = request.fromMs, let ends = request.ends {
            request.endedMs = max(fromMs, min(now.wallMs, ends.wallMs))
        }
        request.state = state
        requests[number] = request
        return request
    }

    package mutating func count(_ member: String, day: String) {
        days[member, default: [:]][day, default: 0] += 1
        while let known = days[member]?.keys, known.count > Self.daysMax,
            let first = known.filter({ $0 != day }).min()
        {
            days[member]?[first] = nil
        }
    }

    /// Lets go of the oldest that are over.
    package mutating func forgetOld() {
        let closed = requests.values.filter { !$0.isOpen }.map(\.number).sorted()
        for number in closed.dropLast(Self.keptMax) { requests[number] = nil }
    }

    // MARK: - What comes by itself

    package static let ownRule = "own rule"

    /// When something happens by itself.
    package func due(bootID: String) -> DueMoments {
        var due = DueMoments()
        for request in requests.values {
            switch request.state {
            case .waiting:
                if let moment = request.grants {
                    due = due.merged(with: moment.wait(bootID: bootID))
                        .merged(with: moment.keeping(bootID: bootID))
                }
            case .granted:
                if let ends = request.ends {
                    due = due.merged(with: ends.end(bootID: bootID))
                        .merged(with: ends.keeping(bootID: bootID))
                }
            case .denied, .revoked, .ended, .withdrawn, .unknown: continue
            }
        }
        for rule in rules.values {
            if let moment = rule.nextFrom {
                due = due.merged(with: moment.wait(bootID: bootID))
                    .merged(with: moment.keeping(bootID: bootID))
            }
        }
        for key in keys.values { due = due.merged(with: key.clock.due(bootID: bootID)) }
        if let dayClock { due = due.merged(with: dayClock.due(bootID: bootID)) }
        return due
    }

    /// Writes down how far the clocks are, and what is left of all that waits or lasts.
    package mutating func moveClocks(_ now: TimeReading, bootID: String) {
        if dayClock?.due(bootID: bootID).isReached(at: now) == true { dayClock?.move(now, bootID: bootID) }
        for (number, request) in requests {
            if request.state == .waiting, request.grants?.keeping(bootID: bootID).isReached(at: now) == true {
                requests[number]?.grants?.keepWait(now, bootID: bootID)
            }
            if request.state == .granted, request.ends?.keeping(bootID: bootID).isReached(at: now) == true {
                requests[number]?.ends?.keep(now, bootID: bootID)
            }
        }
        for (member, rule) in rules where rule.nextFrom?.keeping(bootID: bootID).isReached(at: now) == true {
            rules[member]?.nextFrom?.keepWait(now, bootID: bootID)
        }
        for member in keys.keys { keys[member]?.clock.move(now, bootID: bootID) }
    }

    /// Does what has become due, and says which grants began or ended, in the order of their numbers.
    package mutating func advance(_ now: TimeReading, bootID: String, day: String) -> [MoreTime] {
        moveClocks(now, bootID: bootID)
        for (member, rule) in rules {
            guard let next = rule.next, let moment = rule.nextFrom, moment.hasCome(now, bootID: bootID) else {
                continue
            }
            rules[member] = OwnRule(next)
        }
        var changed: [MoreTime] = []
        for number in requests.keys.sorted() {
            guard let request = requests[number] else { continue }
            if request.state == .granted, request.ends?.isOver(now, bootID: bootID) == true {
                changed += [close(number, as: .ended, now)].compactMap(\.self)
            } else if request.state == .waiting, request.grants?.hasCome(now, bootID: bootID) == true {
                if let words = OwnRule.refusal(of: request, in: self, day: day) {
                    requests[number]?.state = .denied
                    requests[number]?.answeredMs = now.wallMs
                    requests[number]?.answeredBy = Self.ownRule
                    requests[number]?.answer = words
                    continue
                }
                count(request.member, day: day)
                if dayClock == nil { dayClock = DayClock(now, bootID: bootID) }
                let granted = grant(
                    number,
                    forMs: request.durationMs,
                    by: Self.ownRule,
                    now,
                    bootID: bootID
                )
                changed += [granted].compactMap(\.self)
            }
        }
        return changed
    }
}
