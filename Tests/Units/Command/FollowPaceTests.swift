import STCommandCore
import Testing

@Suite("How often a followed report is made")
struct FollowPaceTests {
    @Test("A followed report is due immediately, and after usage it is due twice, one second apart")
    func events() {
        var pace = UpdateSchedule(periodMs: 1_000)
        #expect(pace.isDue(0))
        pace.recordUpdate(0, growsAfterMs: nil)
        #expect(!pace.isDue(60_000))

        pace.recordUsage()
        #expect(!pace.isDue(999))
        #expect(pace.isDue(1_000))
        pace.recordUpdate(60_000, growsAfterMs: nil)

        // What was heard may not have been summed up then.
        #expect(!pace.isDue(60_999))
        #expect(pace.isDue(61_000))
        pace.recordUpdate(61_000, growsAfterMs: nil)
        #expect(!pace.isDue(1_000_000))
    }

    @Test("Ten thousand events in ten seconds cause ten updates of a followed report")
    func flood() {
        var pace = UpdateSchedule(periodMs: 1_000)
        var made = 0
        for ms in 0..<10_000 {
            pace.recordUsage()
            if pace.isDue(Int64(ms)) {
                made += 1
                pace.recordUpdate(Int64(ms), growsAfterMs: 1_000)
            }
        }
        #expect(made == 10)
    }

    @Test("A report that changes by itself is due again without any event")
    func growth() {
        var pace = UpdateSchedule(periodMs: 1_000)
        pace.recordUpdate(0, growsAfterMs: 5_000)
        #expect(!pace.isDue(4_999))
        #expect(pace.isDue(5_000))
    }
}
