package import STContracts
package import STPlatform

/// All requests for more time, and the rules by which they are answered.
package struct RequestBook: Sendable, Equatable {
    /// How many requests of one member may wait at a time.
    package static let waitingMax = 20
    /// Requests that are over and still kept, the latest of all members.
    package static let keptMax = 200
    /// How many days the book counts grants of, for a clock that is set forward and back.
    package static let daysMax = 31

    package var requests: [Int64: MoreTime] = [:]
    package var lastNumber: Int64 = 0
    package var rules: [String: OwnRule] = [:]
    /// What each member's own rule has granted, by local day such as `2026-11-20`.
    package var days: [String: [String: Int]] = [:]
    package var keys: [String: CodeKey] = [:]
    /// The clock that days are counted by; nil before the first grant.
    package var dayClock: DayClock?

    package init() {}

    package func rule(of member: String, isChild: Bool) -> RequestRule {
        rules[member]?.rule ?? OwnRule.standard(member, isChild: isChild)
    }

    package func waiting(of member: String) -> [MoreTime] {
        requests.values.filter { $0.member == member && $0.state == .waiting }
    }

    package func granted(_ member: String, day: String) -> Int { days[member]?[day] ?? 0 }

    /// How many of a day's grants are given or wait for their moment.
    package func spokenFor(_ member: String, day: String) -> Int {
        granted(member, day: day) + waiting(of: member).count { $0.grants != nil }
    }

    /// Whether a member still has the minute of a day in which to save and finish; each thing has its own.
    func hasMinute(_ member: String, _ items: [TokenItem], day: String) -> Bool {
        !requests.values.contains {
            $0.minuteDay == day && $0.member == member && Set($0.items).isSuperset(of: items)
        }
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

    /// Forgets the oldest requests that are over, but for what was granted on other machines and would last yet: it would come again.
    package mutating func forgetOld(_ now: TimeReading, bootID: String) {
        let closed = requests.values.filter { request in
            !request.isOpen && (request.origin == nil || request.ends?.isOver(now, bootID: bootID) != false)
        }
        .map(\.number).sorted()
        for number in closed.dropLast(Self.keptMax) { requests[number] = nil }
    }

    /// A member has gone.
    package mutating func forget(_ member: String, _ now: TimeReading) {
        for request in requests.values where request.member == member && request.isOpen {
            _ = close(request.number, as: request.state == .granted ? .revoked : .withdrawn, now)
        }
        rules[member] = nil
        days[member] = nil
        keys[member] = nil
    }

    // MARK: - What comes by itself

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
                if let expires = request.expires {
                    due = due.merged(with: expires.end(bootID: bootID))
                        .merged(with: expires.keeping(bootID: bootID))
                }
            case .granted:
                if let ends = request.ends {
                    due = due.merged(with: ends.end(bootID: bootID))
                        .merged(with: ends.keeping(bootID: bootID))
                }
            case .denied, .revoked, .ended, .withdrawn, .expired, .unknown: continue
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
            if request.state == .waiting, request.expires?.keeping(bootID: bootID).isReached(at: now) == true
            {
                requests[number]?.expires?.keep(now, bootID: bootID)
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

    /// Does what has become due, and returns the grants that began or ended, by number.
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
            } else if request.state == .waiting, request.expires?.isOver(now, bootID: bootID) == true {
                requests[number]?.state = .expired
                requests[number]?.answeredMs = now.wallMs
            } else if request.state == .waiting, request.grants?.hasCome(now, bootID: bootID) == true {
                if request.minuteDay == nil, let reason = OwnRule.refusal(of: request, in: self, day: day) {
                    requests[number]?.state = .denied
                    requests[number]?.answeredMs = now.wallMs
                    requests[number]?.answeredBy = RequestView.ownRule
                    requests[number]?.answer = reason
                    continue
                }
                if request.minuteDay == nil { count(request.member, day: day) }
                if dayClock == nil { dayClock = DayClock(now, bootID: bootID) }
                let granted = grant(
                    number,
                    forMs: request.durationMs,
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

/// A request for more time as it is kept.
package struct MoreTime: WireBody, Codable, Equatable {
    package var number: Int64
    package var member: String
    package var isChild: Bool
    package var items: [TokenItem]
    package var durationMs: Int64
    package var because: String?
    /// The shield it was asked from.
    package var shield: String?
    package var state = RequestState.waiting
    package var askedMs: Int64
    /// When the person's own rule grants it.
    package var grants: SteadyMoment?
    /// Until when a guardian can answer, where a guardian must.
    package var expires: SteadyMoment?
    package var answeredMs: Int64?
    package var answeredBy: String?
    package var answer: Message?
    package var fromMs: Int64?
    package var ends: SteadyMoment?
    /// When it ended, planned or not.
    package var endedMs: Int64?
    /// The day of which it is the minute that no rule and no guardian grants; nil for all other requests.
    var minuteDay: String?
    /// The other machine on which it was granted.
    var origin: Origin?

    package init(
        number: Int64,
        member: String,
        isChild: Bool,
        items: [TokenItem],
        durationMs: Int64,
        because: String?,
        shield: String?,
        askedMs: Int64
    ) {
        self.number = number
        self.member = member
        self.isChild = isChild
        self.items = items
        self.durationMs = durationMs
        self.because = because
        self.shield = shield
        self.askedMs = askedMs
    }

    package struct Origin: Hashable, Codable, Sendable {
        /// The household's name of this request.
        var key: String
        var device: String
    }

    package var name: String { "R\(number)" }

    package var isOpen: Bool { state == .waiting || state == .granted }

    /// The number in `R7`; nil for anything else.
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

/// The clock by which the grants of a day are counted: setting the wall clock forward makes no new day.
///
/// Within a boot it follows boot time alone. After another start of the machine it takes the wall clock, as nothing
/// else knows how long the machine was off, and never goes back.
package struct DayClock: WireBody, Codable, Equatable {
    package private(set) var highMs: Int64
    package private(set) var bootMs: Int64
    package private(set) var bootID: String

    package init(_ now: TimeReading, bootID: String) {
        highMs = now.wallMs
        bootMs = now.bootMs
        self.bootID = bootID
    }

    package func wallMs(_ now: TimeReading, bootID: String) -> Int64 {
        bootID == self.bootID ? highMs + max(0, now.bootMs - bootMs) : max(now.wallMs, highMs)
    }

    /// When it wants to be written down again.
    package func due(bootID: String) -> DueMoments {
        DueMoments(bootMs: bootID == self.bootID ? bootMs + CodeClock.keepMs : 0)
    }

    package mutating func move(_ now: TimeReading, bootID: String) {
        highMs = wallMs(now, bootID: bootID)
        bootMs = now.bootMs
        self.bootID = bootID
    }
}
