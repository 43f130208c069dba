package import STPlatform

package enum RuleAdd: Route {
    /// Encoded as one JSON object that contains the members of the rule and `proof`.
    package struct Request: WireBody, Codable, Equatable {
        package var rule: RuleSpec
        package var proof: Proof?

        private enum CodingKeys: String, CodingKey { case proof }

        package init(_ rule: RuleSpec, proof: Proof? = nil) {
            self.rule = rule
            self.proof = proof
        }

        package init(from decoder: any Decoder) throws {
            rule = try RuleSpec(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            proof = try container.decodeIfPresent(Proof.self, forKey: .proof)
        }

        package func encode(to encoder: any Encoder) throws {
            try rule.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(proof, forKey: .proof)
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rule: RuleView
        /// Remarks about parts of the rule that do not work yet, and other remarks.
        package var notes: [ActivityNote]

        package init(rule: RuleView, notes: [ActivityNote]) {
            self.rule = rule
            self.notes = notes
        }
    }

    package static let name = "rule.add"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Adds a rule, such as a limit, downtime, window, goal or always-allowed app."
}

/// Changes the named properties and keeps the others. An empty text or list, or a duration of 0, removes a property.
package enum RuleEdit: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        package var newName: String?
        package var targets: [TokenItem]?
        package var durationMs: Int64?
        package var weekendMs: Int64?
        package var restMs: Int64?
        package var overlap: RuleOverlap?
        package var window: RuleWindow?
        package var days: [Int]?
        package var except: [String]?
        package var opens: [TokenItem]?
        package var then: RuleConsequence?
        package var warnMs: Int64?
        package var say: String?
        package var proof: Proof?

        package init(
            name: String,
            newName: String? = nil,
            targets: [TokenItem]? = nil,
            durationMs: Int64? = nil,
            weekendMs: Int64? = nil,
            restMs: Int64? = nil,
            overlap: RuleOverlap? = nil,
            window: RuleWindow? = nil,
            days: [Int]? = nil,
            except: [String]? = nil,
            opens: [TokenItem]? = nil,
            then: RuleConsequence? = nil,
            warnMs: Int64? = nil,
            say: String? = nil,
            proof: Proof? = nil
        ) {
            self.name = name
            self.newName = newName
            self.targets = targets
            self.durationMs = durationMs
            self.weekendMs = weekendMs
            self.restMs = restMs
            self.overlap = overlap
            self.window = window
            self.days = days
            self.except = except
            self.opens = opens
            self.then = then
            self.warnMs = warnMs
            self.say = say
            self.proof = proof
        }
    }

    package typealias Reply = RuleAdd.Reply

    package static let name = "rule.edit"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary = "Changes the named properties of a rule, and keeps the others."
}

package enum RuleList: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var kind: RuleKind?
        package var member: String?
        package var next: String?

        package init(kind: RuleKind? = nil, member: String? = nil, next: String? = nil) {
            self.kind = kind
            self.member = member
            self.next = next
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rules: [RuleView]
        package var next: String?

        package init(rules: [RuleView], next: String?) {
            self.rules = rules
            self.next = next
        }
    }

    package static let name = "rule.list"
    package static let kind = RouteKind.read
    package static let summary = "Lists the built-in rules, by name."
}

package enum RuleRemove: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        package var proof: Proof?

        package init(name: String, proof: Proof? = nil) {
            self.name = name
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        /// The rule before its removal.
        package var rule: RuleView

        package init(rule: RuleView) { self.rule = rule }
    }

    package static let name = "rule.remove"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Removes a rule, after the member's delay if the removal loosens restrictions."
}

package enum RulePause: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var name: String
        /// The length of the pause from now on. 0 ends the pause.
        package var forMs: Int64
        package var proof: Proof?

        package init(name: String, forMs: Int64, proof: Proof? = nil) {
            self.name = name
            self.forMs = forMs
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var rule: RuleView

        package init(rule: RuleView) { self.rule = rule }
    }

    package static let name = "rule.pause"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Suspends a rule for a while, or resumes it. "
        + "Notifications that are still current are delivered afterwards."
}

/// The kinds of built-in rules.
package enum RuleKind: String, WireEnum {
    /// An amount of usage a day.
    case limit
    /// A time of the day without the computer.
    case downtime
    /// A time of the day outside which the apps must not be used.
    case window
    /// An amount of usage of one thing that opens another.
    case goal
    /// Items that rules never block.
    case allow
    /// A limited time from now on in which only the named items are open. The rule is then removed.
    case session
    /// A rest after a certain amount of usage without a rest.
    case `break`
    case unknown

    package var label: Message {
        switch self {
        case .limit: Message("rule.kind-limit", "limit")
        case .downtime: Message("rule.kind-downtime", "downtime")
        case .window: Message("rule.kind-window", "window")
        case .goal: Message("rule.kind-goal", "goal")
        case .allow: Message("rule.kind-allow", "allow")
        case .session: Message("rule.kind-session", "session")
        case .break: Message("rule.kind-break", "break")
        case .unknown: Message("rule.kind-unknown", "unknown")
        }
    }
}

/// The consequence when a rule is broken or met.
package enum RuleConsequence: String, WireEnum {
    case notify, shield, unknown
}

/// The way to count simultaneous usage on two machines.
package enum RuleOverlap: String, WireEnum {
    case each, once, unknown
}

/// A part of the day, such as `21:30` to `07:00`. If it ends before it starts, it ends on the next day.
package struct RuleWindow: WireBody, Codable, Equatable, Hashable {
    package var from: String
    package var to: String

    package init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

/// A time of the day in a rule, such as `21:30`.
package struct ClockTime: Sendable, Equatable {
    package var minutes: Int

    /// Returns `nil` unless the text has two digits, a colon and two digits. `24:00` is midnight at the end of a day.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let hour = digits[0] * 10 + digits[1]
        let minute = digits[2] * 10 + digits[3]
        guard hour < 24 && minute < 60 || hour == 24 && minute == 0 else { return nil }
        minutes = hour % 24 * 60 + minute
    }
}

/// The definition of a rule, in requests and in the database.
package struct RuleSpec: WireBody, Codable, Equatable {
    package var kind: RuleKind
    /// The name. If `nil`, it is made from the subject of the rule.
    package var name: String?
    /// The member. `nil` means the owner of this computer.
    package var member: String?
    package var targets: [TokenItem]
    package var durationMs: Int64?
    /// The amount on Saturdays and Sundays, if it differs.
    package var weekendMs: Int64?
    /// The length of a break.
    package var restMs: Int64?
    /// For a limit or a goal: the way to count simultaneous usage. `nil` counts it on each machine.
    package var overlap: RuleOverlap?
    package var window: RuleWindow?
    /// The days of the week. 1 is Sunday. `nil` or empty means every day.
    package var days: [Int]?
    /// The dates on which the rule does not apply, such as `2026-12-25`, in order. If `weekendMs` is set, that amount applies on
    /// these dates.
    ///
    /// A time that goes over midnight belongs to the day on which it begins.
    package var except: [String]?
    /// The items that a goal opens, or that a downtime leaves open in addition to the always-allowed ones.
    package var opens: [TokenItem]?
    package var then: RuleConsequence?
    /// The time by which a warning precedes the threshold or the interval.
    package var warnMs: Int64?
    /// The person's own text, with `{app}`, `{used}`, `{left}` and `{limit}`.
    package var say: String?

    package init(
        kind: RuleKind,
        name: String? = nil,
        member: String? = nil,
        targets: [TokenItem] = [],
        durationMs: Int64? = nil,
        weekendMs: Int64? = nil,
        restMs: Int64? = nil,
        overlap: RuleOverlap? = nil,
        window: RuleWindow? = nil,
        days: [Int]? = nil,
        except: [String]? = nil,
        opens: [TokenItem]? = nil,
        then: RuleConsequence? = nil,
        warnMs: Int64? = nil,
        say: String? = nil
    ) {
        self.kind = kind
        self.name = name
        self.member = member
        self.targets = targets
        self.durationMs = durationMs
        self.weekendMs = weekendMs
        self.restMs = restMs
        self.overlap = overlap
        self.window = window
        self.days = days
        self.except = except
        self.opens = opens
        self.then = then
        self.warnMs = warnMs
        self.say = say
    }
}

extension RuleSpec {
    /// The numbers of Sunday and Saturday.
    package static let weekend: Set = [1, 7]

    /// The days of the week on which the rule applies. All days if none is named.
    package var weekdays: Set<Int> { Set((days ?? []).isEmpty ? Array(1...7) : days ?? []) }

    private static let weeksApart = 52

    /// Limits the rule to one day. For a year, the rule excludes the same day of later weeks.
    package mutating func restrict(only day: CivilDate) {
        days = [day.weekday]
        except = (1...Self.weeksApart).map { day.adding(days: 7 * $0).text }
    }

    /// The only day on which the rule applies, as set by `hold(only:)`. `nil` for other rules.
    package var onlyDay: CivilDate? {
        guard days?.count == 1, except?.count == Self.weeksApart, let next = exceptions.first else {
            return nil
        }
        let day = next.adding(days: -7)
        var same = self
        same.restrict(only: day)
        return same == self ? day : nil
    }

    package var exceptions: [CivilDate] { (except ?? []).compactMap { CivilDate(text: $0) } }

    /// Returns the amount of a limit or a goal on that day. Returns `nil` if the rule does not apply on that day.
    package func amountMs(on date: CivilDate) -> Int64? {
        guard weekdays.contains(date.weekday) else { return nil }
        let isException = except?.contains(date.text) == true
        if isException || Self.weekend.contains(date.weekday), let weekendMs { return weekendMs }
        return isException ? nil : durationMs
    }

    /// Returns `24 Dec 2026`, `24 Dec 2026 and 25 Dec 2026`, or `12 days from 24 Dec 2026 to 6 Jan 2027`.
    package static func datesMessage(ofDates dates: [String]) -> Message {
        let words = dates.compactMap { CivilDate(text: $0) }.map { date in
            let month = CalendarNames.shortMonth(date.month)
            return Message(
                "date.day-month-year",
                "\(date.day, "day") \(month, "month") \(date.year, "year")"
            )
        }
        guard let first = words.first, let last = words.last else { return Message(verbatim: "") }
        return switch words.count {
        case 1: first
        case 2: Message("date.two-days", "\(first, "first") and \(last, "last")")
        default:
            Message(
                "request-notice.days-from-to",
                "\(words.count, "count") days from \(first, "first") to \(last, "last")"
            )
        }
    }

    /// The amount of a limit, a goal or a break as a person types it: `1h`, `1h --weekend 2h --overlap once`, or `5m --after 50m`.
    package var typedAmount: String? {
        if let restMs, let durationMs {
            return
                "\(TextFormat.typedDuration(ms: restMs)) --after \(TextFormat.typedDuration(ms: durationMs))"
        }
        let weekend = weekendMs.map { " --weekend " + TextFormat.typedDuration(ms: $0) } ?? ""
        let once = overlap == .once ? " --overlap once" : ""
        return durationMs.map { TextFormat.typedDuration(ms: $0) + weekend + once }
    }
}

/// A rule and its current state.
package struct RuleView: WireBody, Codable, Equatable {
    /// The id, which stays the same when the name changes. activity-center monitors the rule under this id.
    package var id: String
    /// The definition of the rule. Its name and member are never `nil`.
    package var rule: RuleSpec
    package var addedAt: String
    package var pausedUntil: String?
    /// The interval in which the rule applies, current or next, as a person understands it. `nil` for rules that always apply.
    package var interval: IntervalSpan?
    /// The interval in words, beginning with `now:` or `next:`.
    package var when: String?
    /// True if activity-center monitors the rule.
    package var isWatched: Bool
    /// The reason why the rule is not monitored, or why it cannot shield its targets.
    package var problem: Message?
    /// True while the rule's shield is up.
    package var isShielding: Bool?
    /// A change that waits because it makes the rule looser.
    package var pending: PendingChange?

    package init(
        id: String,
        rule: RuleSpec,
        addedAt: String,
        pausedUntil: String?,
        interval: IntervalSpan?,
        when: String?,
        isWatched: Bool,
        problem: Message?,
        isShielding: Bool? = nil,
        pending: PendingChange? = nil
    ) {
        self.id = id
        self.rule = rule
        self.addedAt = addedAt
        self.pausedUntil = pausedUntil
        self.interval = interval
        self.when = when
        self.isWatched = isWatched
        self.problem = problem
        self.isShielding = isShielding
        self.pending = pending
    }
}

/// The built-in rules, which activity-center and notifier treat like an app.
package enum BuiltInRules {
    package static let app = "screentime.rules"
    /// The event that counts the usage of a rule.
    package static let usedEvent = "used"
    /// Upper bound on the items that are always allowed for one member.
    package static let allowedMax = 200
    package static let allowedBytesMax = 48 * 1024

    /// Returns the id of the rule to which an activity belongs. The part after the slash distinguishes the activities of one rule.
    package static func rule(watching activity: String) -> String { String(activity.prefix { $0 != "/" }) }
}

/// A change of a rule that waits because it makes the rule looser.
package struct PendingChange: WireBody, Codable, Equatable {
    /// The kind of the change: `edit`, `remove` or `pause`, or `add` for something always allowed.
    package var change: String
    package var text: Message
    package var askedAt: String
    package var takesEffectWallMs: Int64

    package init(change: String, text: Message, askedAt: String, takesEffectWallMs: Int64) {
        self.change = change
        self.text = text
        self.askedAt = askedAt
        self.takesEffectWallMs = takesEffectWallMs
    }
}

package enum RuleDelay: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var member: String?
        package var delayMs: Int64?
        package var proof: Proof?

        package init(member: String? = nil, delayMs: Int64? = nil, proof: Proof? = nil) {
            self.member = member
            self.delayMs = delayMs
            self.proof = proof
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var member: String
        package var delayMs: Int64
        /// A shorter delay, which also waits. Until then, `delayMs` applies.
        package var nextDelayMs: Int64?
        package var nextFromWallMs: Int64?

        package init(
            member: String,
            delayMs: Int64,
            nextDelayMs: Int64? = nil,
            nextFromWallMs: Int64? = nil
        ) {
            self.member = member
            self.delayMs = delayMs
            self.nextDelayMs = nextDelayMs
            self.nextFromWallMs = nextFromWallMs
        }
    }

    package static let name = "rule.delay"
    package static let kind = RouteKind.write
    package static let isConfidential = true
    package static let summary =
        "Sets or returns the delay after which changes that loosen a member's rules take effect."
}
