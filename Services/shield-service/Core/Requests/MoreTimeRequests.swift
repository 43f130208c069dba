package import STContracts
package import STPlatform

/// All requests for more time, the rules that answer them, and the keys of offline codes.
package struct MoreTimeRequests: Sendable, Equatable {
    /// Upper bound on the waiting requests of one member.
    package static let waitingMax = 20
    /// Upper bound on the stored requests of all members that are over. The oldest are deleted first.
    package static let keptMax = 200
    /// Number of days whose grants are counted. Earlier days matter if the clock is set forward and back.
    package static let daysMax = 31

    package var requests: [Int64: MoreTimeRequest] = [:]
    package var lastNumber: Int64 = 0
    package var rules: [String: CustomRequestRule] = [:]
    /// Number of grants by each member's own rule, by member and local day such as `2026-11-20`.
    package var days: [String: [String: Int]] = [:]
    package var keys: [String: CodeKey] = [:]
    /// The clock that determines the day of a grant. `nil` before the first grant.
    package var dayClock: DayClock?

    package init() {}

    package func rule(of member: String, isChild: Bool) -> RequestRule {
        rules[member]?.rule ?? CustomRequestRule.standard(member, isChild: isChild)
    }

    package func waiting(of member: String) -> [MoreTimeRequest] {
        requests.values.filter { $0.member == member && $0.state == .waiting }
    }

    package func granted(_ member: String, day: String) -> Int { days[member]?[day] ?? 0 }

    /// Returns the number of a day's grants that are given or wait for their moment.
    package func reserved(_ member: String, day: String) -> Int {
        granted(member, day: day) + waiting(of: member).count { $0.grants != nil }
    }

    /// Returns true if a member can still use the day's minute to save and finish. Each thing has its own minute.
    func hasFreeMinute(_ member: String, _ items: [TokenItem], day: String) -> Bool {
        !requests.values.contains {
            $0.minuteDay == day && $0.member == member && Set($0.items).isSuperset(of: items)
        }
    }

    package mutating func grant(
        _ number: Int64,
        for length: Duration,
        by: String,
        _ now: TimeReading,
        bootID: String
    ) -> MoreTimeRequest? {
        guard var request = requests[number] else { return nil }
        request.state = .granted
        request.answeredMs = now.wallMs
        request.answeredBy = by
        request.fromMs = now.wallMs
        request.ends = StableDeadline(afterMs: length.ms, from: now, bootID: bootID)
        requests[number] = request
        return request
    }

    /// Ends a waiting or granted request.
    package mutating func close(_ number: Int64, as state: RequestState, _ now: TimeReading)
        -> MoreTimeRequest?
    {
        guard var request = requests[number] else { return nil }
        if let fromMs = request.fromMs, let ends = request.ends {
            request.endedMs = max(fromMs, min(now.wallMs, ends.wallMs))
        }
        request.state = state
        requests[number] = request
        return request
    }

    package mutating func recordGrant(_ member: String, day: String) {
        days[member, default: [:]][day, default: 0] += 1
        while let known = days[member]?.keys, known.count > Self.daysMax,
            let first = known.filter({ $0 != day }).min()
        {
            days[member]?[first] = nil
        }
    }

    /// Deletes the oldest requests that are over.
    ///
    /// Keeps grants of other machines whose time is not over, because these would be received again.
    package mutating func removeOld(_ now: TimeReading, bootID: String) {
        let closed = requests.values.filter { request in
            !request.isOpen && (request.origin == nil || request.ends?.isOver(now, bootID: bootID) != false)
        }
        .map(\.number).sorted()
        for number in closed.dropLast(Self.keptMax) { requests[number] = nil }
    }

    /// Ends the open requests of a removed member, and deletes the member's rule, counts and key.
    package mutating func removeMember(_ member: String, _ now: TimeReading) {
        for request in requests.values where request.member == member && request.isOpen {
            _ = close(request.number, as: request.state == .granted ? .revoked : .withdrawn, now)
        }
        rules[member] = nil
        days[member] = nil
        keys[member] = nil
    }

    // MARK: - What comes by itself

    /// Returns the next moment at which the book changes by itself or must be saved.
    package func due(bootID: String) -> Deadlines {
        var due = Deadlines()
        for request in requests.values {
            switch request.state {
            case .waiting:
                if let moment = request.grants {
                    due = due.merged(with: moment.startDeadlines(bootID: bootID))
                        .merged(with: moment.updateDeadlines(bootID: bootID))
                }
                if let expires = request.expires {
                    due = due.merged(with: expires.endDeadlines(bootID: bootID))
                        .merged(with: expires.updateDeadlines(bootID: bootID))
                }
            case .granted:
                if let ends = request.ends {
                    due = due.merged(with: ends.endDeadlines(bootID: bootID))
                        .merged(with: ends.updateDeadlines(bootID: bootID))
                }
            case .denied, .revoked, .ended, .withdrawn, .expired, .unknown: continue
            }
        }
        for rule in rules.values {
            if let moment = rule.nextFrom {
                due = due.merged(with: moment.startDeadlines(bootID: bootID))
                    .merged(with: moment.updateDeadlines(bootID: bootID))
            }
        }
        for key in keys.values { due = due.merged(with: key.clock.due(bootID: bootID)) }
        if let dayClock { due = due.merged(with: dayClock.due(bootID: bootID)) }
        return due
    }

    /// Records the progress of the clocks, and the remaining time of all waiting and granted requests.
    package mutating func moveClocks(_ now: TimeReading, bootID: String) {
        if dayClock?.due(bootID: bootID).isDue(at: now) == true { dayClock?.move(now, bootID: bootID) }
        for (number, request) in requests {
            if request.state == .waiting,
                request.grants?.updateDeadlines(bootID: bootID).isDue(at: now) == true
            {
                requests[number]?.grants?.updateStart(now, bootID: bootID)
            }
            if request.state == .waiting,
                request.expires?.updateDeadlines(bootID: bootID).isDue(at: now) == true
            {
                requests[number]?.expires?.update(now, bootID: bootID)
            }
            if request.state == .granted, request.ends?.updateDeadlines(bootID: bootID).isDue(at: now) == true
            {
                requests[number]?.ends?.update(now, bootID: bootID)
            }
        }
        for (member, rule) in rules
        where rule.nextFrom?.updateDeadlines(bootID: bootID).isDue(at: now) == true {
            rules[member]?.nextFrom?.updateStart(now, bootID: bootID)
        }
        for member in keys.keys { keys[member]?.clock.move(now, bootID: bootID) }
    }

    /// Performs the changes that are due. Returns the grants that began or ended, by number.
    package mutating func advance(_ now: TimeReading, bootID: String, day: String) -> [MoreTimeRequest] {
        moveClocks(now, bootID: bootID)
        for (member, rule) in rules {
            guard let next = rule.next, let moment = rule.nextFrom, moment.isReached(now, bootID: bootID)
            else {
                continue
            }
            rules[member] = CustomRequestRule(next)
        }
        var changed: [MoreTimeRequest] = []
        for number in requests.keys.sorted() {
            guard let request = requests[number] else { continue }
            if request.state == .granted, request.ends?.isOver(now, bootID: bootID) == true {
                changed += [close(number, as: .ended, now)].compactMap(\.self)
            } else if request.state == .waiting, request.expires?.isOver(now, bootID: bootID) == true {
                requests[number]?.state = .expired
                requests[number]?.answeredMs = now.wallMs
            } else if request.state == .waiting, request.grants?.isReached(now, bootID: bootID) == true {
                if request.minuteDay == nil,
                    let reason = CustomRequestRule.refusal(of: request, in: self, day: day)
                {
                    requests[number]?.state = .denied
                    requests[number]?.answeredMs = now.wallMs
                    requests[number]?.answeredBy = RequestView.ownRule
                    requests[number]?.answer = reason
                    continue
                }
                if request.minuteDay == nil { recordGrant(request.member, day: day) }
                if dayClock == nil { dayClock = DayClock(now, bootID: bootID) }
                let granted = grant(
                    number,
                    for: request.duration,
                    by: RequestView.ownRule,
                    now,
                    bootID: bootID
                )
                changed += [granted].compactMap(\.self)
            }
        }
        return changed
    }
}

/// A stored request for more time.
package struct MoreTimeRequest: WireBody, Codable, Equatable {
    package var number: Int64
    package var member: String
    package var isChild: Bool
    package var items: [TokenItem]
    package var durationMs: Int64
    package var because: String?
    /// The shield on which the time was requested.
    package var shield: String?
    package var state = RequestState.waiting
    package var askedMs: Int64
    /// The moment at which the person's own rule grants the request.
    package var grants: StableDeadline?
    /// The moment until which a guardian can answer. `nil` if no guardian has to.
    package var expires: StableDeadline?
    package var answeredMs: Int64?
    package var answeredBy: String?
    package var answer: Message?
    package var fromMs: Int64?
    package var ends: StableDeadline?
    /// The moment at which the grant ended, as planned or earlier.
    package var endedMs: Int64?
    /// The day whose minute to save and finish this request is. `nil` for all other requests.
    ///
    /// No rule and no guardian grants this minute.
    var minuteDay: String?
    /// The other machine that granted the request.
    var origin: Origin?

    package init(
        number: Int64,
        member: String,
        isChild: Bool,
        items: [TokenItem],
        duration: Duration,
        because: String?,
        shield: String?,
        asked: WallTime
    ) {
        self.number = number
        self.member = member
        self.isChild = isChild
        self.items = items
        durationMs = duration.ms
        self.because = because
        self.shield = shield
        askedMs = asked.ms
    }

    package struct Origin: Hashable, Codable, Sendable {
        /// The household's name of this request.
        var key: String
        var device: String
    }

    package var name: String { "R\(number)" }

    package var duration: Duration { .milliseconds(durationMs) }

    package var isOpen: Bool { state == .waiting || state == .granted }

    /// Returns the number in a name such as `R7`, or `nil` if the text is not such a name.
    package static func number(of name: String) -> Int64? {
        guard let first = name.first, first == "R" || first == "r", name.utf8.count <= 12,
            name.utf8.dropFirst().allSatisfy({ (48...57).contains($0) }),
            let number = Int64(name.dropFirst()), number > 0
        else { return nil }
        return number
    }

    package var view: RequestView {
        RequestView(
            request: name,
            member: member,
            items: items,
            durationMs: durationMs,
            because: because,
            state: state,
            askedAt: RFC3339.text(wallMs: askedMs),
            grantsAt: state == .waiting ? grants.map { RFC3339.text(wallMs: $0.wallMs) } : nil,
            expiresAt: state == .waiting ? expires.map { RFC3339.text(wallMs: $0.wallMs) } : nil,
            answeredAt: answeredMs.map { RFC3339.text(wallMs: $0) },
            answeredBy: answeredBy,
            answer: answer,
            fromWallMs: fromMs,
            untilWallMs: endedMs ?? ends?.wallMs,
            device: origin?.device
        )
    }
}

/// The clock that determines the day of a grant: setting the wall clock forward starts no new day.
///
/// Within a boot it follows boot time only. After a restart it takes the wall clock, because nothing else measures how long the
/// machine was off. It never goes back.
package struct DayClock: WireBody, Codable, Equatable {
    package private(set) var highMs: Int64
    package private(set) var bootMs: Int64
    package private(set) var bootID: String

    package init(_ now: TimeReading, bootID: String) {
        highMs = now.wallMs
        bootMs = now.bootMs
        self.bootID = bootID
    }

    package func wall(_ now: TimeReading, bootID: String) -> WallTime {
        let high = WallTime(ms: highMs)
        return bootID == self.bootID
            ? high + max(.zero, now.boot - BootTime(ms: bootMs)) : max(now.wall, high)
    }

    /// Returns the moment of the next save.
    package func due(bootID: String) -> Deadlines {
        Deadlines(bootMs: bootID == self.bootID ? bootMs + CodeClock.saveInterval.ms : 0)
    }

    package mutating func move(_ now: TimeReading, bootID: String) {
        highMs = wall(now, bootID: bootID).ms
        bootMs = now.bootMs
        self.bootID = bootID
    }
}
