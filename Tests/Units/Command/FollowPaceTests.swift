import STCommandCore
import Testing

@Suite("How often a followed report is made")
struct FollowPaceTests {
    private let start = SuspendingClock.now

    @Test("A followed report is due immediately, and after usage it is due twice, one second apart")
    func events() {
        var pace = UpdateSchedule(interval: .seconds(1))
        #expect(pace.isDue(start))
        pace.recordUpdate(start, growsAfter: nil)
        #expect(!pace.isDue(start + .milliseconds(60_000)))

        pace.recordUsage()
        #expect(!pace.isDue(start + .milliseconds(999)))
        #expect(pace.isDue(start + .milliseconds(1_000)))
        pace.recordUpdate(start + .milliseconds(60_000), growsAfter: nil)

        // What was heard may not have been summed up then.
        #expect(!pace.isDue(start + .milliseconds(60_999)))
        #expect(pace.isDue(start + .milliseconds(61_000)))
        pace.recordUpdate(start + .milliseconds(61_000), growsAfter: nil)
        #expect(!pace.isDue(start + .milliseconds(1_000_000)))
    }

    @Test("Ten thousand events in ten seconds cause ten updates of a followed report")
    func flood() {
        var pace = UpdateSchedule(interval: .seconds(1))
        var made = 0
        for ms in 0..<10_000 {
            pace.recordUsage()
            if pace.isDue(start + .milliseconds(ms)) {
                made += 1
                pace.recordUpdate(start + .milliseconds(ms), growsAfter: .milliseconds(1_000))
            }
        }
        #expect(made == 10)
    }

    @Test("A report that changes by itself is due again without any event")
    func growth() {
        var pace = UpdateSchedule(interval: .seconds(1))
        pace.recordUpdate(start, growsAfter: .milliseconds(5_000))
        #expect(!pace.isDue(start + .milliseconds(4_999)))
        #expect(pace.isDue(start + .milliseconds(5_000)))
    }
}
