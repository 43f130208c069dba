package import STContracts
package import STDomain
package import STPlatform
import STRules

/// Lessons: for a while a teacher leaves only some apps and sites open to a class, from a phone or a computer's browser.
///
/// A lesson is a downtime of each pupil, with exceptions. It ends by itself on the pupils' machines, even if the household cannot
/// be reached. Afterwards its rules are removed.
package enum Lessons {
    private static let itemsMax = 50
    private static let minuteMs: Int64 = 60_000
    private static let usageDays = 14
    private static let classLookupMs: Int64 = 60_000
    /// The shortest interval of a downtime, as on phones. A shorter lesson has a beginning in the past.
    private static let shortestMs: Int64 = 15 * minuteMs

    /// Returns the end of the present teaching hours. Returns `nil` outside the teacher's hours.
    package static func hoursEnd(_ lessons: HouseholdLessons, _ rules: ZoneRules, nowMs: Int64) -> Int64? {
        guard let from = ClockTime(lessons.window.from)?.minutes,
            let to = ClockTime(lessons.window.to)?.minutes,
            lessons.days?.contains(rules.day(atMs: nowMs).weekday) ?? true
        else { return nil }
        let localMs = rules.localMs(atMs: nowMs)
        let sinceMidnightMs = sinceMidnight(localMs)
        let endMs = Int64(to == 0 ? 1_440 : to) * minuteMs
        guard sinceMidnightMs >= Int64(from) * minuteMs, sinceMidnightMs < endMs else { return nil }
        return nowMs + endMs - sinceMidnightMs
    }

    /// Begins a lesson. Until `untilMs`, only `opens` and the always-allowed apps are open to the class.
    package static func begin(
        _ opens: [TokenItem],
        untilMs: Int64,
        from device: HouseholdState.Device,
        rules: ZoneRules,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        let lessons = try lessons(of: device)
        guard let hoursEndMs = hoursEnd(lessons, rules, nowMs: now.wallMs) else {
            throw Problem(
                "phone.outside_hours",
                """
                This class has lessons only from \(lessons.window.from, "from") to \
                \(lessons.window.to, "to") on its lesson days. Nothing was changed.
                """
            )
        }
        guard untilMs > now.wallMs, untilMs <= hoursEndMs else {
            throw Problem(
                "phone.bad_end",
                "A lesson must end in the future, and no later than \(lessons.window.to, "to").",
                field: "/until_ms"
            )
        }
        guard opens.count <= itemsMax else {
            throw Problem(
                "phone.too_many_things",
                "A lesson can keep at most \(itemsMax, "most") apps and sites open.",
                field: "/items"
            )
        }
        let endMs = rules.localMs(atMs: untilMs)
        let startMs = min(rules.localMs(atMs: now.wallMs), endMs - shortestMs)
        var spec = RuleSpec(
            kind: .downtime,
            name: name(of: device.name),
            window: RuleWindow(from: clock(startMs), to: clock(endMs)),
            opens: opens.isEmpty ? nil : opens,
            then: .shield
        )
        // The rule is for one date, so that a machine that misses the end does not begin the lesson again next week.
        spec.restrict(only: CivilDate(daysSinceEpoch: Int(startMs / 86_400_000)))
        let pupils = device.accounts.map(\.member)
        guard !pupils.isEmpty else {
            throw Problem(
                "phone.no_pupils",
                "No pupil of this class belongs to the household yet. The pupils' machines must join first."
            )
        }
        for member in pupils {
            try HouseholdRuleMerger.setLesson(spec, member: member, from: device, state: &state)
        }
        try end(from: device, besides: pupils, &state)
        recordEnd(untilMs, device: device, state: &state, now: now)
    }

    package static func end(
        from device: HouseholdState.Device,
        _ state: inout HouseholdState,
        _ now: TimeReading
    ) throws {
        _ = try lessons(of: device)
        try end(from: device, &state)
        recordEnd(nil, device: device, state: &state, now: now)
    }

    /// Ends the lessons that are over.
    package static func endExpired(_ state: inout HouseholdState, _ now: TimeReading) throws {
        for (id, endMs) in state.lessonEnds where endMs <= now.wallMs {
            guard let device = state.device(id) else { continue }
            try end(from: device, &state)
            recordEnd(nil, device: device, state: &state, now: now)
        }
    }

    /// Ends the lesson for everyone who has it, also for pupils who have left the class.
    static func end(
        from device: HouseholdState.Device,
        besides pupils: [String] = [],
        _ state: inout HouseholdState
    ) throws {
        guard device.phone?.lessons != nil else { return }
        let id = HouseholdRule.lesson(of: device.id)
        for member in state.rules.keys.sorted()
        where state.rules[member]?[id]?.spec != nil && !pupils.contains(member) {
            try HouseholdRuleMerger.setLesson(nil, member: member, from: device, state: &state)
        }
    }

    /// Returns the usage by app in the hours of lessons, from sums by hour and app.
    package static func apps(_ used: [HouseholdSums.Sum], at lessons: HouseholdLessons) -> [HouseholdSums.Sum]
    {
        guard let from = ClockTime(lessons.window.from)?.minutes,
            let to = ClockTime(lessons.window.to)?.minutes
        else { return [] }
        let hours = Int64(from / 60)..<Int64(((to == 0 ? 1_440 : to) + 59) / 60)
        var byApp: [String: Int64] = [:]
        for sum in used {
            guard let app = sum.app, let hour = sum.hour, hours.contains(hour) else { continue }
            byApp[app, default: 0] += sum.ms
        }
        return byApp.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { app, ms in
            var sum = HouseholdSums.Sum(ms: ms)
            sum.app = app
            return sum
        }
    }

    /// The days whose usage decides which apps a lesson may leave open.
    package static func lastDays(of lessons: HouseholdLessons, through today: CivilDate) -> [CivilDate] {
        (0...usageDays).map { today.adding(days: -$0) }.filter { lessons.days?.contains($0.weekday) ?? true }
    }

    /// True if the class must be compared with its group again.
    package static func isClassLookupDue(lastBootMs: Int64?, nowBootMs: Int64) -> Bool {
        lastBootMs.map { nowBootMs - $0 > classLookupMs } ?? true
    }

    /// Updates the class to the members of its group. A present lesson also applies to new pupils.
    package static func setClass(
        _ class: [String],
        of device: HouseholdState.Device,
        _ state: inout HouseholdState
    ) throws {
        let known = Set(state.members)
        let accounts = Set(`class`).intersection(known).sorted().prefix(HouseholdAccount.max).map {
            HouseholdAccount(here: $0, member: $0)
        }
        guard var device = state.device(device.id), device.accounts != accounts else { return }
        device.accounts = accounts
        state.save(device)
        guard device.phone?.lessonMs != nil, let spec = spec(of: device, state) else { return }
        for account in accounts {
            try HouseholdRuleMerger.setLesson(spec, member: account.member, from: device, state: &state)
        }
    }

    /// Returns the rule of the present lesson for each pupil.
    static func spec(of device: HouseholdState.Device, _ state: HouseholdState) -> RuleSpec? {
        let id = HouseholdRule.lesson(of: device.id)
        return state.rules.values.lazy.compactMap { $0[id]?.spec }.first
    }

    /// Returns the name of the rule, which contains the teacher because two teachers can teach the same pupil.
    private static func name(of teacher: String) -> String {
        TextFormat.truncated("\(HouseholdRule.lesson) \(teacher)", bytes: RuleCheck.nameBytesMax)
    }

    static func checked(_ lessons: HouseholdLessons, of teacher: String) throws -> HouseholdLessons {
        let spec = RuleSpec(
            kind: .downtime,
            name: name(of: teacher),
            window: lessons.window,
            days: lessons.days
        )
        let checked = try RuleCheck.checked(spec, for: Member(name: "", role: .individual))
        let from = ClockTime(lessons.window.from)?.minutes ?? 0
        let to = ClockTime(lessons.window.to)?.minutes ?? 0
        guard to == 0 || from < to else {
            throw Problem(
                "household.bad_hours",
                "Lessons must begin and end on the same day, such as 08:00-13:00.",
                field: "/lessons/window"
            )
        }
        let name = try lessons.group.map { try MachineAdmission.checked(name: $0) }
        return HouseholdLessons(group: name, window: lessons.window, days: checked.days)
    }

    private static func recordEnd(
        _ untilMs: Int64?,
        device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading
    ) {
        guard var device = state.device(device.id) else { return }
        device.phone?.lessonMs = untilMs
        device.seenMs = now.wallMs
        state.save(device)
    }

    private static func lessons(of device: HouseholdState.Device) throws(Problem) -> HouseholdLessons {
        guard let lessons = device.phone?.lessons else {
            throw Problem("phone.no_class", "This is a guardian's phone. It has no class.")
        }
        return lessons
    }

    private static func sinceMidnight(_ localMs: Int64) -> Int64 {
        (localMs % 86_400_000 + 86_400_000) % 86_400_000
    }

    private static func clock(_ localMs: Int64) -> String {
        let minutes = sinceMidnight(localMs) / minuteMs
        let parts = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return parts.joined(separator: ":")
    }
}
