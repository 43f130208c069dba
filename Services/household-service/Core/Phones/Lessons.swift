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
    private static let minute = Duration.seconds(60)
    private static let usageDays = 14
    private static let classLookupInterval = Duration.seconds(60)
    /// The shortest interval of a downtime, as on phones. A shorter lesson has a beginning in the past.
    private static let shortest = minute * 15

    /// Returns the end of the present teaching hours. Returns `nil` outside the teacher's hours.
    package static func hoursEnd(_ lessons: HouseholdLessons, _ rules: ZoneRules, at now: WallTime)
        -> WallTime?
    {
        guard let from = ClockTime(lessons.window.from)?.minutes,
            let to = ClockTime(lessons.window.to)?.minutes,
            lessons.days?.contains(rules.day(atMs: now.ms).weekday) ?? true
        else { return nil }
        let sinceMidnight = sinceMidnight(localTime(at: now, rules))
        let end = minute * (to == 0 ? 1_440 : to)
        guard sinceMidnight >= minute * from, sinceMidnight < end else { return nil }
        return now + (end - sinceMidnight)
    }

    /// Begins a lesson. Until `end`, only `opens` and the always-allowed apps are open to the class.
    package static func begin(
        _ opens: [TokenItem],
        until end: WallTime,
        from device: HouseholdState.Device,
        rules: ZoneRules,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        let lessons = try lessons(of: device)
        guard let hoursEnd = hoursEnd(lessons, rules, at: now.wall) else {
            throw Problem(
                "phone.outside_hours",
                """
                This class has lessons only from \(lessons.window.from, "from") to \
                \(lessons.window.to, "to") on its lesson days. Nothing was changed.
                """
            )
        }
        guard end > now.wall, end <= hoursEnd else {
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
        let localEnd = localTime(at: end, rules)
        let localStart = min(localTime(at: now.wall, rules), localEnd - shortest)
        var spec = RuleSpec(
            kind: .downtime,
            name: name(of: device.name),
            window: RuleWindow(from: clock(localStart), to: clock(localEnd)),
            opens: opens.isEmpty ? nil : opens,
            then: .shield
        )
        // The rule is for one date, so that a machine that misses the end does not begin the lesson again next week.
        spec.restrict(only: CivilDate(daysSinceEpoch: Int(localStart.ms / UsageRow.day.ms)))
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
        try Self.end(from: device, besides: pupils, &state)
        recordEnd(end, device: device, state: &state, now: now)
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
        for (id, lessonEnd) in state.lessonEnds where lessonEnd <= now.wall {
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
    package static func isClassLookupDue(last: BootTime?, now: BootTime) -> Bool {
        last.map { now - $0 > classLookupInterval } ?? true
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
        _ end: WallTime?,
        device: HouseholdState.Device,
        state: inout HouseholdState,
        now: TimeReading
    ) {
        guard var device = state.device(device.id) else { return }
        device.phone?.lessonMs = end?.ms
        device.seenAt = now.wall
        state.save(device)
    }

    private static func lessons(of device: HouseholdState.Device) throws(Problem) -> HouseholdLessons {
        guard let lessons = device.phone?.lessons else {
            throw Problem("phone.no_class", "This is a guardian's phone. It has no class.")
        }
        return lessons
    }

    /// The local time, since 1970.
    private static func localTime(at moment: WallTime, _ rules: ZoneRules) -> Duration {
        .milliseconds(rules.localMs(atMs: moment.ms))
    }

    private static func sinceMidnight(_ local: Duration) -> Duration {
        .milliseconds((local.ms % UsageRow.day.ms + UsageRow.day.ms) % UsageRow.day.ms)
    }

    private static func clock(_ local: Duration) -> String {
        let minutes = sinceMidnight(local).ms / minute.ms
        let parts = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return parts.joined(separator: ":")
    }
}
