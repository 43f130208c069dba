import STContracts
import STDomain
import Testing

@Suite("JSON of schedules and budgets")
struct WireTests {
    private func text<T: WireBody>(_ value: T) throws -> String {
        String(decoding: try value.encodedBody(), as: UTF8.self)
    }

    @Test("A schedule is encoded as documented and decoded to an equal value")
    func schedule() throws {
        var start = time("Mon 22:00")
        start.calendar = "gregorian"
        start.zone = "Europe/Berlin"
        start.weekOfYear = 3
        let schedule = Schedule(
            start: start,
            end: DateFields(hour: 7),
            repeats: true,
            warning: DateFields(minute: 5),
            days: [1, 7]
        )
        let text = try text(Wrapped(schedule))

        #expect(
            text == """
                {"value":{"start":{"calendar":"gregorian","zone":"Europe/Berlin","hour":22,"minute":0,"weekday":2,\
                "week_of_year":3},"end":{"hour":7},"repeats":true,"warning":{"minute":5},"days":[1,7]}}
                """
        )
        #expect(try Wrapped<Schedule>.decodedBody(Array(text.utf8)).value == schedule)
    }

    @Test("A budget is encoded with sorted sets and decoded to an equal value")
    func budget() throws {
        let budget = Budget(
            target: BudgetTarget(apps: ["b", "a", "c"], domains: ["z.example", "a.example"]),
            thresholdMs: 60_000,
            warningMs: 5
        )
        let text = try text(Wrapped(budget))

        #expect(
            text == """
                {"value":{"target":{"apps":["a","b","c"],"domains":["a.example","z.example"]},"threshold_ms":60000,\
                "warning_ms":5,"includes_past":false}}
                """
        )
        #expect(try Wrapped<Budget>.decodedBody(Array(text.utf8)).value == budget)
        #expect(try Wrapped<BudgetTarget>.decodedBody(Array(#"{"value":{}}"#.utf8)).value.isEverything)
    }

    @Test("Intervals, progress, crossings, limits and span sets are decoded to equal values")
    func others() throws {
        let interval = Wrapped(Interval(startMs: 1, endMs: 2, zone: "UTC"))
        let progress = Wrapped(BudgetProgress(usedMs: 5, reached: true, warned: false))
        let crossing = Wrapped(BudgetCrossing(kind: .warning, atBootMs: 5, usedMs: 4))
        let limits = Wrapped(ScheduleLimits())
        let spans = Wrapped(TimeRangeSet([TimeRange(5, 9), TimeRange(1, 2)]))

        #expect(try text(interval) == #"{"value":{"start_ms":1,"end_ms":2,"zone":"UTC"}}"#)
        #expect(try Wrapped<Interval>.decodedBody(interval.encodedBody()) == interval)
        #expect(try Wrapped<BudgetProgress>.decodedBody(progress.encodedBody()) == progress)
        #expect(try Wrapped<BudgetCrossing>.decodedBody(crossing.encodedBody()) == crossing)
        #expect(try Wrapped<ScheduleLimits>.decodedBody(limits.encodedBody()) == limits)
        #expect(try text(spans) == #"{"value":[{"start_ms":1,"end_ms":2},{"start_ms":5,"end_ms":9}]}"#)
        #expect(try Wrapped<TimeRangeSet>.decodedBody(spans.encodedBody()) == spans)
    }

    @Test("The schema of a schedule names its fields and the required ones")
    func schema() {
        guard case .object(let schedule) = SchemaRecorder.schema(of: Schedule.self),
            case .object(let properties)? = schedule["properties"],
            case .object(let start)? = properties["start"], case .object(let fields)? = start["properties"]
        else {
            Issue.record("no object")
            return
        }

        #expect(schedule["required"] == ["end", "repeats", "start"])
        #expect(start["required"] == nil)
        #expect(fields["week_of_year"] == ["type": "integer"])
        #expect(fields["zone"] == ["type": "string"])
        #expect(fields.count == 17)
    }
}

private struct Wrapped<Value: Codable & Sendable & Equatable>: WireBody, Codable, Equatable {
    var value: Value

    init(_ value: Value) { self.value = value }
}
