import STPlatform

extension ScheduleRule {
    static let code = "activity.invalid_date_components"

    /// Refuses a schedule that says nothing, or two things at once.
    init(_ schedule: Schedule, zone: String, field: String = "/schedule") throws {
        func refused(_ why: String, _ place: String = "") -> Problem {
            Problem(
                Self.code,
                "\(why) Understood: \(schedule.listed).",
                field: field + place,
                details: ["start": schedule.start.listed, "end": schedule.end.listed]
            )
        }
        func pattern(_ fields: DateFields, _ name: String) throws -> SchedulePattern {
            switch fields.pattern() {
            case .success(let pattern): return pattern
            case .failure(let misfit): throw refused("The \(name): \(misfit.why)", "/\(name)\(misfit.field)")
            }
        }
        start = try pattern(schedule.start, "start")
        end = try pattern(schedule.end, "end")
        let named = schedule.start.zone ?? schedule.end.zone
        guard (schedule.end.zone ?? named) == named else {
            throw refused("Start and end name different zones; give one.", "/end/zone")
        }
        guard let rules = ZoneRules.of(named ?? zone) else {
            throw refused("The zone of the device is not known; give a name such as Europe/Berlin.", "/zone")
        }
        self.zone = named ?? zone
        self.rules = rules
        if let why = Self.mixed(schedule.start.units, schedule.end.units) { throw refused(why, "/end") }
        let dates = schedule.start.units.intersection(.dates)
        guard dates.isEmpty || !schedule.repeats else {
            throw refused(
                "A date does not repeat. Give hour, minute and second alone, or set repeats to false.",
                "/repeats"
            )
        }
        if let why = Self.wrongDays(schedule) { throw refused(why, "/days") }
        days = (schedule.days ?? []).reduce(0) { $0 | 1 << UInt8($1) }
    }

    /// Time of day on both ends, weekday and time on both, or dates on both.
    private static func mixed(_ start: DateFields.Units, _ end: DateFields.Units) -> String? {
        let advice = "Give hour, minute and second on both ends, or full dates on both."
        let larger: DateFields.Units = [.year, .month, .day, .weekday]
        guard start.intersection(larger) == end.intersection(larger) else {
            return "Start and end are of different kinds. \(advice)"
        }
        if start.isDisjoint(with: larger), start.contains(.hour) != end.contains(.hour) {
            return "One end has an hour and the other has none. \(advice)"
        }
        return nil
    }

    private static func wrongDays(_ schedule: Schedule) -> String? {
        guard let days = schedule.days else { return nil }
        guard !days.isEmpty, days.count <= 7 else { return "Give one to seven days, or leave days away." }
        guard days.allSatisfy((1...7).contains) else { return "A day is 1 (Sunday) to 7 (Saturday)." }
        let units = schedule.start.units
        guard units.isDisjoint(with: [.year, .month, .day, .weekday]) else {
            return "Days go with a time of day alone; this schedule names its day already."
        }
        return nil
    }
}
