import STContracts
import STDomain
package import STPlatform

/// A change that a phone requests.
package struct PhoneAction: WireBody, Codable {
    package enum PhoneActionKind: String, Codable, Sendable {
        case approve, deny, give, back, stop, resume, lesson, over
    }

    package var what: PhoneActionKind
    var key: String?
    var member: String?
    var ms: Int64?
    var because: String?
    /// The apps and sites that stay open in a lesson, which ends at `untilMs`.
    var items: [TokenItem]?
    var untilMs: Int64?

    package init(body: [UInt8]) throws(Problem) {
        guard let read = try? Self.decodedBody(body) else {
            throw Problem(
                "phone.bad_request",
                "A change must have one of these kinds: approve, deny, give, back, stop, resume, lesson or over."
            )
        }
        self = read
    }

    func perform(
        from phone: HouseholdState.Device,
        _ state: inout HouseholdState,
        _ now: TimeReading
    ) throws {
        let (key, member) = (self.key ?? "", self.member ?? "")
        switch what {
        case .approve, .deny:
            let length: Duration? = what == .approve ? .milliseconds(ms ?? 0) : nil
            try Phones.answer(key, for: length, because: because, from: phone, state: &state, now: now)
        case .give:
            try Phones.grant(member, for: .milliseconds(ms ?? 0), from: phone, state: &state, now: now)
        case .back: try Phones.revoke(key, from: phone, state: &state, now: now)
        case .stop, .resume:
            try Phones.setStopped(member, isStopped: what == .stop, from: phone, state: &state, now: now)
        case .lesson:
            let rules = ZoneRules.load(LocalZone.identifier()) ?? .utc
            try Lessons.begin(
                items ?? [],
                until: WallTime(ms: untilMs ?? 0),
                from: phone,
                rules: rules,
                state: &state,
                now: now
            )
        case .over: try Lessons.end(from: phone, &state, now)
        }
    }
}
