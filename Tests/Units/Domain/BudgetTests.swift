import STDomain
import STPlatform
import Testing

@Suite("Budgets")
struct BudgetTests {
    private func budget(_ thresholdMs: Int64, warning: Int64? = nil) -> Budget {
        Budget(target: BudgetTarget(), thresholdMs: thresholdMs, warningMs: warning)
    }

    @Test("An empty target matches everything")
    func everything() {
        let target = BudgetTarget()

        #expect(target.isEverything)
        #expect(target.matches(app: nil, category: nil, domain: nil))
        #expect(target.matches(app: "a", category: "games", domain: "b.example"))
    }

    @Test("A target matches its apps, its categories, and its sites with their subdomains")
    func matches() {
        let target = BudgetTarget(apps: ["org.a"], categories: ["games"], domains: ["Video.example."])

        #expect(!target.isEverything)
        #expect(target.matches(app: "org.a", category: "utilities", domain: nil))
        #expect(target.matches(app: "org.b", category: "games", domain: nil))
        #expect(target.matches(app: "org.b", category: nil, domain: "video.example"))
        #expect(target.matches(app: nil, category: nil, domain: "m.VIDEO.example"))
        #expect(!target.matches(app: "org.b", category: "utilities", domain: "myvideo.example"))
        #expect(!target.matches(app: "org.b", category: nil, domain: "example"))
        #expect(!target.matches(app: nil, category: nil, domain: nil))
        #expect(
            !target.matches(
                app: nil,
                category: nil,
                domain: String(repeating: "a.", count: 400) + "video.example"
            )
        )
    }

    @Test("The warning and the threshold are each crossed once, at their exact moments")
    func crossings() {
        let budget = budget(600_000, warning: 60_000)
        var progress = BudgetProgress()

        #expect(
            progress.nextCrossing(of: budget, fromBootMs: 1000)
                == BudgetCrossing(kind: .warning, atBootMs: 541_000, usedMs: 540_000)
        )
        #expect(progress.add(fromBootMs: 1000, toBootMs: 540_999, of: budget).isEmpty)
        #expect(
            progress.add(fromBootMs: 540_999, toBootMs: 541_000, of: budget)
                == [BudgetCrossing(kind: .warning, atBootMs: 541_000, usedMs: 540_000)]
        )
        #expect(progress == BudgetProgress(usedMs: 540_000, reached: false, warned: true))
        #expect(
            progress.nextCrossing(of: budget, fromBootMs: 700_000)
                == BudgetCrossing(kind: .threshold, atBootMs: 760_000, usedMs: 600_000)
        )
        #expect(
            progress.add(fromBootMs: 700_000, toBootMs: 900_000, of: budget)
                == [BudgetCrossing(kind: .threshold, atBootMs: 760_000, usedMs: 600_000)]
        )
        #expect(progress == BudgetProgress(usedMs: 740_000, reached: true, warned: true))
        #expect(progress.nextCrossing(of: budget, fromBootMs: 900_000) == nil)
        #expect(progress.add(fromBootMs: 900_000, toBootMs: 990_000, of: budget).isEmpty)
        #expect(progress.usedMs == 830_000)
    }

    @Test("A late observation crosses the warning and the threshold, each at its own moment")
    func late() {
        var progress = BudgetProgress()
        let found = progress.add(fromBootMs: 0, toBootMs: 1_000_000, of: budget(600_000, warning: 60_000))

        #expect(found.map(\.kind) == [.warning, .threshold])
        #expect(found.map(\.atBootMs) == [540_000, 600_000])
    }

    @Test(
        "A warning as long as the threshold is crossed with the first usage",
        arguments: [600_000, 900_000] as [Int64]
    )
    func longWarning(warning: Int64) {
        var progress = BudgetProgress()
        let found = progress.add(fromBootMs: 5000, toBootMs: 5000, of: budget(600_000, warning: warning))

        #expect(found == [BudgetCrossing(kind: .warning, atBootMs: 5000, usedMs: 0)])
        #expect(progress.warned)
    }

    @Test("If earlier usage exceeds the threshold, new usage crosses it at its start, without a warning")
    func past() {
        let budget = budget(600_000, warning: 60_000)
        var progress = BudgetProgress()
        progress.count(700_000)

        #expect(!progress.reached)
        #expect(progress.nextCrossing(of: budget, fromBootMs: 9000)?.atBootMs == 9000)
        #expect(
            progress.add(fromBootMs: 9000, toBootMs: 9000, of: budget)
                == [BudgetCrossing(kind: .threshold, atBootMs: 9000, usedMs: 700_000)]
        )
        #expect(progress.reached)
    }

    @Test("A missing warning, or one of zero length, is not crossed", arguments: [nil, 0] as [Int64?])
    func noWarning(warning: Int64?) {
        var progress = BudgetProgress()
        let found = progress.add(fromBootMs: 0, toBootMs: 100, of: budget(50, warning: warning))

        #expect(found.map(\.kind) == [.threshold])
        #expect(!progress.warned)
    }

    @Test("Extreme and negative numbers are counted without a trap")
    func edges() {
        var progress = BudgetProgress(usedMs: -5)
        progress.count(-5)
        #expect(progress.usedMs == 0)
        #expect(progress.add(fromBootMs: 10, toBootMs: 9, of: budget(5)).isEmpty)
        #expect(progress.add(fromBootMs: .min, toBootMs: .max, of: budget(.max)).map(\.kind) == [.threshold])
        progress.count(.max)
        #expect(progress.usedMs == .max)
        #expect(BudgetProgress().nextCrossing(of: budget(.max), fromBootMs: 5)?.atBootMs == .max)
    }

    @Test("An invalid budget is refused with a code and its field")
    func refused() throws {
        func refusal(_ budget: Budget) -> Problem? {
            do {
                try budget.check(field: "/events/0")
                return nil
            } catch { return error as? Problem }
        }
        let many = BudgetTarget(apps: Set((0...BudgetTarget.entriesMax).map { "app\($0)" }))

        #expect(refusal(budget(1)) == nil)
        #expect(refusal(budget(0))?.code == "activity.bad_threshold")
        #expect(refusal(budget(-1))?.field == "/events/0/threshold")
        #expect(refusal(budget(.max))?.code == "activity.bad_threshold")
        #expect(refusal(budget(1, warning: -1))?.field == "/events/0/warning")
        #expect(refusal(Budget(target: many, thresholdMs: 1))?.code == "activity.target_too_large")
    }

    @Test("The components of a threshold add up to a duration")
    func thresholds() throws {
        #expect(try DateFields(minute: 90).thresholdMs() == 5_400_000)
        #expect(try DateFields(day: 1, hour: 1, minute: 1, second: 1).thresholdMs() == 90_061_000)
        #expect(try DateFields(calendar: "gregorian", hour: 0, second: 1).thresholdMs() == 1000)
        #expect(try DateFields(day: 366).thresholdMs() == DateFields.durationMax.ms)
        #expect(try DateFields(minute: 0).warningMs() == 0)
    }

    @Test(
        "An invalid threshold is refused with a message that names the mistake",
        arguments: [
            (DateFields(), "No length"), (DateFields(zone: "UTC"), "No length"),
            (DateFields(minute: 0), "of zero"),
            (DateFields(minute: -5), "negative"), (DateFields(hour: 2, minute: -5), "negative"),
            (DateFields(month: 1), "component month"),
            (DateFields(minute: 5, weekday: 2), "component weekday"),
            (DateFields(day: 367), "must be at most"), (DateFields(hour: .max), "must be at most"),
            (DateFields(day: 300, hour: 300 * 24), "must be at most"),
        ]
    )
    func badThresholds(fields: DateFields, word: String) {
        do {
            let ms = try fields.thresholdMs(field: "/events/1/threshold")
            Issue.record("\(ms)")
        } catch {
            let problem = error as? Problem
            #expect(problem?.code == "activity.bad_threshold")
            #expect(problem?.field == "/events/1/threshold")
            #expect(problem?.message.contains(word) == true, "\(error)")
        }
    }
}
