import STContracts
import STEngine
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STNotifierCore

@Suite("Delivery of notifications to a desktop")
struct DeliveryTests {
    private let bench: NotifierBench

    init() throws {
        bench = try NotifierBench()
        try bench.desktop(.ready)
    }

    @Test("A notification waits, is sent once and is shown")
    func shown() throws {
        let number = try bench.post("a").number
        #expect(try bench.state("a") == .waiting)
        #expect(try bench.next().number == number)

        let claimed = try #require(try bench.begin(number))
        #expect(claimed.notification.title == "Title")
        #expect(claimed.replaces == nil)
        #expect(try bench.next().number == nil)
        #expect(try bench.begin(number) == nil, "it is claimed once only")
        bench.time.advance(byMs: 5)
        try bench.finish(number, .shown, screen: 3)

        let notice = try #require(try bench.notice("a"))
        #expect(notice.state == .shown && notice.via == .desktop && notice.attempts == 1)
        #expect(notice.shownAt == RFC3339.text(wallMs: bench.time.now().wallMs))
        #expect(try bench.told == ["posted a waiting", "changed a shown"])
    }

    @Test("A notification that was being sent when the process ended is uncertain and not sent again")
    func uncertain() throws {
        let first = try bench.post("a").number
        try bench.post("b")
        _ = try bench.begin(first)

        let again = try bench.reopened()

        let notice = try #require(try again.notice("a"))
        #expect(notice.state == .uncertain)
        #expect(notice.note?.english.contains("may or may not have seen it") == true)
        try again.desktop(.ready)
        #expect(try again.next().number == first + 1)
        #expect(try again.core.ask(NotifyList.self, .init(limit: 1)).uncertain == 1)
        #expect(NotifierService.definition().figures(again.core.state)["notifications_uncertain"] == 1)
        #expect(NotifierService.definition().figures(again.core.state)["notifications_waiting"] == 1)
        #expect(try again.list(.init(state: .uncertain)).map(\.id) == ["a"])
        // Posting the same notification again changes nothing.
        #expect(try again.post("a").outcome == .unchanged)
    }

    @Test("Without a reply a notification is uncertain, and without a desktop it is retried with a reason")
    func outcomes() throws {
        let first = try bench.post("a").number
        let second = try bench.post("b").number
        _ = try bench.begin(first)
        try bench.finish(first, .uncertain, note: "No word of it.")
        for attempt in 1...20 {
            #expect(try bench.begin(second)?.notification.attempts == Int64(attempt))
            try bench.finish(second, .retry, note: "Waiting for a desktop: gone.")
        }

        #expect(try bench.state("a") == .uncertain)
        let waiting = try #require(try bench.notice("b"))
        #expect(waiting.state == .waiting && waiting.attempts == 20)
        #expect(waiting.note?.english == "Waiting for a desktop: gone.")
    }

    @Test("A notification that the desktop rejects several times has failed")
    func refused() throws {
        let number = try bench.post("a").number
        for _ in 1..<NotifySteps.refusalsMax {
            _ = try bench.begin(number)
            try bench.finish(number, .refused, note: "No.")
            #expect(try bench.state("a") == .waiting)
        }
        _ = try bench.begin(number)
        try bench.finish(number, .refused, note: "No.")

        #expect(try bench.state("a") == .failed)
        #expect(try bench.notice("a")?.note?.english == "No.")
        #expect(try bench.post("a").outcome == .replaced, "posted again it comes again")
    }

    @Test("A notification that cannot be shown for a day has failed with a reason")
    func tooOld() throws {
        try bench.desktop(.absent, note: "There is no session bus.")
        try bench.post("a")
        #expect(try bench.notice("a")?.note?.english == "Waiting for a desktop: There is no session bus.")

        try bench.advance(byMs: NoticeJournal.ageMax.ms - 1)
        #expect(try bench.state("a") == .waiting)
        try bench.advance(byMs: 1)

        #expect(try bench.state("a") == .failed)
        #expect(try bench.notice("a")?.note?.english.hasPrefix("Screen Time gave up after 1 d.") == true)
        #expect(try bench.notice("a")?.note?.key == "notification.given-up-after")
        #expect(try bench.told.last == "changed a failed")
    }

    @Test("The number of waiting notifications of an app is limited, and the oldest ones fail")
    func flood() throws {
        for number in 0..<(NotifierTables.waitingPerAppMax + 2) { try bench.post("n\(number)") }
        try bench.post("quiet", app: "other")

        #expect(try bench.list(.init(state: .failed)).map(\.id) == ["n1", "n0"])
        #expect(try bench.list(.init(state: .waiting)).count == NotifierTables.waitingPerAppMax + 1)
        #expect(bench.core.state.counts == [.waiting: 101, .failed: 2])
    }

    @Test("Waiting and scheduled notifications are never removed from the history")
    func kept() throws {
        try bench.desktop(.absent)
        try bench.post("w", app: "a")
        let later = NotifyTrigger(kind: .interval, afterMs: 1_000_000, repeats: false)
        try bench.post("s", app: "a", trigger: later)
        for number in 0..<(NotifierTables.keptPerAppMax + 90) {
            try bench.post("n\(number)", app: "a")
            let latest = try #require(try bench.list(.init(limit: 1)).first)
            _ = try bench.core.ask(
                NotifyAnswer.self,
                .init(number: latest.number, action: "dismiss", via: .terminal)
            )
        }

        #expect(try bench.list(.init(app: "a", state: .waiting)).map(\.id) == ["w"])
        #expect(try bench.list(.init(app: "a", state: .scheduled)).map(\.id) == ["s"])
    }

    // MARK: - Replacement

    @Test("A new text replaces a notification on the screen")
    func replaced() throws {
        try bench.post("a")
        try bench.show(screen: 9)

        let reply = try bench.post("a", body: "Another")

        #expect(reply.outcome == .replaced)
        #expect(try bench.begin(reply.number)?.replaces == 9)
        try bench.finish(reply.number, .shown, screen: 9)
        #expect(try bench.list().map(\.body) == ["Another"])
    }

    @Test("A notification that is replaced while it is being sent updates the same one on the screen")
    func replacedInFlight() throws {
        let first = try bench.post("a").number
        _ = try bench.begin(first)
        _ = try bench.post("a", body: "Second")
        let third = try bench.post("a", body: "Third").number

        try bench.finish(first, .shown, screen: 4)

        #expect(try bench.state("a") == .waiting)
        #expect(try bench.begin(third)?.replaces == 4)
    }

    @Test("A new desktop does not reuse the notifications of the previous one")
    func otherDesktop() throws {
        try bench.post("a")
        try bench.show(screen: 9)
        try bench.core.step {
            try NotifySteps.updateDesktop(
                NotifyDesktop(state: .ready),
                owner: "bus/:1.8",
                state: &$0,
                change: $2
            )
        }

        try bench.press(9, "default")
        try bench.press(9, "default", owner: "bus/:1.8")
        let number = try bench.post("a", body: "Another").number

        #expect(try bench.state("a") == .waiting)
        #expect(try bench.begin(number, owner: "bus/:1.8")?.replaces == nil)
    }
}
