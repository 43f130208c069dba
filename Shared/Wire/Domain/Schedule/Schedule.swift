/// When an activity is monitored.
///
/// The rules, which are those of Foundation's `nextTimePreservingSmallerComponents` where Foundation has one rule:
/// - An interval begins when the clock shows the start, and ends when it next shows the end. Equal ends mean 24 hours.
/// - A time that the clock jumps over in spring is taken as much later as the jump is long: 02:30 becomes 03:30.
/// - Of a time that the clock shows twice in autumn the first counts.
/// - An interval that the jump leaves nothing of (02:30 to 03:00) does not exist on that day, and none reaches into
///   the next one. Neither exists what would start on a day that a zone left out.
/// - `days` are our own: the interval exists only if it starts on one of them.
package struct Schedule: Codable, Sendable, Hashable {
    package var start: DateFields
    package var end: DateFields
    package var repeats: Bool
    /// How long before start and end the warnings come.
    package var warning: DateFields?
    /// 1 is Sunday.
    package var days: [Int]?

    package init(
        start: DateFields,
        end: DateFields,
        repeats: Bool,
        warning: DateFields? = nil,
        days: [Int]? = nil
    ) {
        self.start = start
        self.end = end
        self.repeats = repeats
        self.warning = warning
        self.days = days
    }

    /// Of a preview.
    package static let previewMax = 366

    /// The interval under way, else the next; nil if there is none, or the schedule or the zone is not valid.
    package func interval(atOrAfter nowMs: Int64, zone: String) -> Interval? {
        guard let rule = try? ScheduleRule(self, zone: zone), let found = rule.span(atOrAfter: nowMs) else {
            return nil
        }
        return rule.interval(found)
    }

    /// The interval after one, in the zone where that one was cut unless another is given; nil if it does not repeat.
    package func next(after interval: Interval, zone: String? = nil) -> Interval? {
        guard repeats, let rule = try? ScheduleRule(self, zone: zone ?? interval.zone),
            let found = rule.span(startingAtOrAfter: max(interval.endMs, interval.startMs &+ 1))
        else { return nil }
        return rule.interval(found)
    }

    /// The interval under way and those after it.
    package func preview(count: Int, fromMs: Int64, zone: String) -> [Interval] {
        var list: [Interval] = []
        var next = interval(atOrAfter: fromMs, zone: zone)
        while let found = next, list.count < min(count, Self.previewMax) {
            list.append(found)
            next = self.next(after: found)
        }
        return list
    }

    /// When an interval ends after the device has moved to another zone: when the clocks there show what its end says.
    ///
    /// Nothing changes for a schedule that names its own zone. The end may have passed already, and is never before
    /// the start.
    package func end(of interval: Interval, movedTo zone: String) -> Int64 {
        guard start.zone == nil, end.zone == nil, zone != interval.zone,
            let before = ZoneRules.of(interval.zone), let now = ZoneRules.of(zone)
        else { return interval.endMs }
        let end = now.moment(showing: before.localMs(atMs: interval.endMs)).firstMs
        return max(interval.startMs, end)
    }
}
