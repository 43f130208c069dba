import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STNotifierCore

@Suite("Answers to notifications")
struct AnswerTests {
    private let bench: NotifierBench

    init() throws {
        bench = try NotifierBench()
        try bench.desktop(.ready)
    }

    private static let buttons = [
        NotifyAction(id: "more", label: "15 more minutes"), NotifyAction(id: "stop", label: "Stop"),
    ]

    @Test("A pressed button answers a notification, and the following close changes nothing")
    func pressed() throws {
        try bench.post("a", actions: Self.buttons)
        let number = try bench.show(screen: 5)
        bench.time.advance(byMs: 1_000)

        try bench.press(5, "more")
        try bench.close(5, reason: 2)

        let notice = try #require(try bench.notice("a"))
        #expect(notice.number == number)
        #expect(notice.state == .answered)
        #expect(
            notice.answer == NotifyAnswered(action: "more", wallMs: bench.time.now().wallMs, via: .desktop)
        )
        #expect(try bench.told.last == "changed a answered")
        #expect(try bench.next().closing == nil)
    }

    @Test("A button that does not exist, or of an unknown notification, is ignored")
    func wrongButtons() throws {
        try bench.post("a", actions: Self.buttons)
        try bench.show(screen: 5)

        try bench.press(5, "less")
        try bench.press(6, "more")

        #expect(try bench.state("a") == .shown)
    }

    @Test(
        "A notification that is closed on the screen is closed with the reason",
        arguments: [(1, "after a while"), (2, "A person"), (3, "The desktop"), (99, "The desktop")]
    )
    func closed(reason: Int64, words: String) throws {
        try bench.post("a")
        try bench.show(screen: 5)

        try bench.close(5, reason: reason)

        #expect(try bench.state("a") == .closed)
        #expect(try bench.notice("a")?.note?.english.contains(words) == true)
    }

    @Test("A notification that is closed while its replacement is waiting is shown again")
    func closedWhileReplaced() throws {
        try bench.post("a")
        try bench.show(screen: 5)
        let number = try bench.post("a", body: "Another").number

        try bench.press(5, "default")
        try bench.close(5, reason: 2)

        #expect(try bench.state("a") == .waiting)
        #expect(try bench.begin(number)?.replaces == nil)
    }

    @Test("The first answer counts, its repetition succeeds, and a different one is rejected")
    func answeredTwice() throws {
        let number = try bench.post("a", actions: Self.buttons).number
        let answer = NotifyAnswer.Request(number: number, action: "more", via: .terminal)
        let first = try bench.core.ask(NotifyAnswer.self, answer)

        #expect(first.state == .answered)
        #expect(try bench.core.ask(NotifyAnswer.self, answer) == first)
        let other = NotifyAnswer.Request(number: number, action: "stop", via: .terminal)
        let problem = try #require(try bench.core.refusal(NotifyAnswer.self, other))
        #expect(problem.code == "notify.answered")
        #expect(problem.message.contains("more"))
        #expect(try bench.next().number == nil, "answered in a terminal it need not be shown")
    }

    @Test(
        "A notification that is answered in a terminal is closed on the screen, also while it is being sent"
    )
    func answeredElsewhere() throws {
        try bench.post("a")
        let first = try #require(try bench.show(screen: 5))
        _ = try bench.core.ask(NotifyAnswer.self, .init(number: first, action: "default", via: .terminal))
        #expect(try bench.next().closing == 5)
        try bench.core.step { try NotifySteps.closed(5, owner: NotifierBench.owner, $2) }
        #expect(try bench.next().closing == nil)

        let second = try bench.post("b").number
        _ = try bench.begin(second)
        _ = try bench.core.ask(NotifyAnswer.self, .init(number: second, action: "dismiss", via: .terminal))
        try bench.finish(second, .shown, screen: 6)
        #expect(try bench.state("b") == .closed)
        #expect(try bench.next().closing == 6)
    }

    @Test("An invalid answer is rejected with a code")
    func badAnswers() throws {
        let later = NotifyTrigger(kind: .interval, afterMs: 60_000, repeats: false)
        let scheduled = try bench.post("s", trigger: later).number
        let number = try bench.post("a", actions: Self.buttons).number
        func code(_ number: Int64, _ action: String) throws -> String? {
            try bench.core.refusal(NotifyAnswer.self, .init(number: number, action: action, via: .terminal))?
                .code
        }

        #expect(try code(999, "default") == "notify.not_found")
        #expect(try code(scheduled, "default") == "notify.not_shown")
        #expect(try code(number, "less") == "notify.bad_action")
        #expect(try code(number, "") == "notify.bad_action")
        _ = try bench.core.ask(NotifyWithdraw.self, .init(app: "app"))
        #expect(try code(number, "more") == "notify.not_shown")
    }

    // MARK: - Terminals

    @Test("A terminal marks notifications as shown only if no desktop can show them")
    func terminal() throws {
        let number = try bench.post("a").number
        func mark(_ numbers: [Int64]) throws -> Int64 {
            try bench.core.ask(NotifyShown.self, .init(numbers: numbers, via: .terminal)).marked
        }
        #expect(try mark([number]) == 0, "the desktop is about to show it")

        try bench.desktop(.absent, note: "There is none.")
        #expect(try mark([number, number, 99]) == 1)
        #expect(try mark([number]) == 0)

        let notice = try #require(try bench.notice("a"))
        #expect(notice.state == .shown && notice.via == .terminal && notice.note == nil)
        try bench.desktop(.ready)
        #expect(try bench.next().number == nil, "it does not come twice")
        let many = [Int64](repeating: 1, count: BusLimits.pageRows + 1)
        #expect(
            try bench.core.refusal(NotifyShown.self, .init(numbers: many, via: .terminal))?.field
                == "/numbers"
        )
    }

    @Test("If the desktop is switched off, a posted notification is recorded as shown immediately")
    func off() throws {
        let off = try NotifierBench(desktop: false)
        try off.post("a")

        #expect(try off.state("a") == .shown)
        #expect(try off.notice("a")?.via == nil)
        #expect(try off.told == ["posted a shown"])
        #expect(try off.next().due == NotifySteps.Due())
        #expect(try off.core.ask(NotifyList.self, .init()).desktop?.state == .off)
    }

    // MARK: - Withdrawal

    @Test("A withdrawn notification is not shown or is closed on the screen, and can be posted again")
    func withdrawn() throws {
        try bench.post("shown")
        try bench.show(screen: 5)
        try bench.post("waiting")
        try bench.post("other", app: "other")
        let flying = try bench.post("flying").number
        _ = try bench.begin(flying)

        #expect(try bench.core.ask(NotifyWithdraw.self, .init(app: "app")).withdrawn == 3)
        try bench.finish(flying, .shown, screen: 6)

        #expect(
            try ["shown", "waiting", "flying", "other"].map(bench.state) == [
                .withdrawn, .withdrawn, .withdrawn, .waiting,
            ]
        )
        #expect(try bench.next().closing != nil)
        #expect(try bench.core.ask(NotifyWithdraw.self, .init(app: "app")).withdrawn == 0)
        #expect(try bench.post("waiting").outcome == .replaced)
        #expect(try bench.state("waiting") == .waiting)
    }

    @Test("Scheduled and shown notifications are withdrawn separately")
    func withdrawnParts() throws {
        let every = NotifyTrigger(kind: .interval, afterMs: 60_000, repeats: true)
        try bench.post("every", trigger: every)
        try bench.post("later", trigger: .init(kind: .interval, afterMs: 3_600_000, repeats: false))
        try bench.advance(byMs: 60_000)
        try bench.show(screen: 5)
        #expect(try bench.state("every") == .shown)

        let shown = NotifyWithdraw.Request(app: "app", state: .shown)
        #expect(try bench.core.ask(NotifyWithdraw.self, shown).withdrawn == 1)
        #expect(try bench.state("every") == .scheduled)
        #expect(try bench.next().closing == 5)
        try bench.advance(byMs: 60_000)
        #expect(try bench.state("every") == .waiting)

        let scheduled = NotifyWithdraw.Request(app: "app", ids: ["every"], state: .scheduled)
        #expect(try bench.core.ask(NotifyWithdraw.self, scheduled).withdrawn == 1)
        #expect(try bench.state("every") == .waiting)
        #expect(try bench.list(.init(state: .scheduled)).map(\.id) == ["later"])
        let odd = NotifyWithdraw.Request(app: "app", state: .failed)
        #expect(try bench.core.refusal(NotifyWithdraw.self, odd)?.field == "/state")
    }
}
