import STContracts
import STDomain
import STPlatform
import STStore
import STTestKit
import Testing

@testable import STShieldCore

@Suite("Shield explanations")
struct HistoryTests {
    private let desk: ShieldDesk

    init() throws { desk = try ShieldDesk() }

    private func steam(_ isShielded: Bool, store: String = "main") throws {
        try desk.set(["shield.applications": isShielded ? ShieldDesk.apps("steam") : []], store: store)
    }

    @Test("Explaining a past moment after a restart returns the decision that was made at that moment")
    func past() throws {
        var moments: [(wallMs: Int64, decision: ShieldDecisionBody, policy: Int64)] = []
        func remember() throws {
            desk.pass(ms: 1000)
            let now = try desk.decide(app: "steam")
            moments.append((desk.now, now.decision, now.policy))
            desk.pass(ms: 1000)
        }
        try remember()
        try steam(true)
        try remember()
        try desk.set(["shield.applicationCategories": ["policy": "all"]], app: ShieldDesk.other)
        try remember()
        try steam(false)
        try remember()
        try desk.allow(ShieldDesk.other, isEnforced: false)
        try remember()
        try desk.alwaysAllow([.init(kind: .application, id: "steam")])
        try steam(true)
        try remember()
        try desk.remove()
        try remember()
        try desk.reopen()

        for moment in moments {
            let explained = try desk.explain(app: "steam", at: moment.wallMs)
            #expect(explained.decision == moment.decision, "\(moment)")
            #expect(explained.policy == moment.policy)
            #expect(explained.causes.map(\.cause) == explained.decision.causes)
        }
        #expect(Set(moments.map(\.decision.isShielded)) == [true, false])
        #expect(try desk.explain(app: "steam").decision == (try desk.decide(app: "steam").decision))
    }

    @Test("A cause names the change that started the shield, not a later change that kept it")
    func beginning() throws {
        try steam(true)
        try steam(false)
        desk.pass(ms: 5000)
        try steam(true)
        let began = desk.now
        desk.pass(ms: 5000)
        try desk.set(["siri.denySiri": true])
        let cause = try #require(try desk.explain(app: "steam").causes.first)

        #expect(cause.change.policy == 3)
        #expect(cause.change.wallMs == began)
        #expect(cause.change.route == "settings.set")
        // No event caused the change, because the app requested it.
        #expect(cause.change.cause == nil)
        #expect(cause.cause.way == .named && cause.cause.what == "steam")

        try desk.allow(isEnforced: false)
        try desk.allow()
        // In between the app was open, because its settings were not enforced.
        #expect(try desk.explain(app: "steam").causes.first?.change.route == AuthorizationChanged.type)
    }

    @Test("Explaining a moment before the first recorded change reports that there are no records")
    func before() throws {
        try steam(true)
        let since = try desk.explain(app: "steam").sinceWallMs
        let early = try desk.explain(app: "steam", at: since - 1)
        #expect(!early.decision.isShielded && early.causes.isEmpty)
        #expect(early.lifts.first?.english.hasPrefix("Screen Time has no records of that time.") == true)
    }

    @Test(
        "After the clock is set back a day, current shields are explained and earlier moments have no records"
    )
    func clockAhead() throws {
        desk.bench.time.stepWall(byMs: -86_400_000)
        try steam(true)
        #expect(try desk.explain(app: "steam").decision.isShielded)
        #expect(try desk.explain(app: "steam").causes.first?.change.route == "settings.set")
        let asked = try desk.explain(app: "steam", at: desk.now - 1)
        #expect(asked.lifts.first?.english.hasPrefix("Screen Time has no records of that time.") == true)
    }

    @Test("Explaining a past moment states that the app's category is the current one")
    func category() throws {
        try steam(true)
        desk.pass(ms: 1000)
        let past = try desk.explain(app: "steam", at: desk.now - 500)
        #expect(past.lifts.last?.english.hasPrefix("Its category (games) is the current one") == true)
        #expect(try desk.explain(app: "steam").lifts.last?.english.hasPrefix("Its category") == false)
    }

    @Test("A decision names the grant that lifts a shield, until the grant ends or is revoked")
    func grant() throws {
        try steam(true)
        let granted = RequestView(
            request: "R1",
            member: "kim",
            items: [.init(kind: .application, id: "steam")],
            durationMs: 60_000,
            state: .granted,
            askedAt: "",
            untilWallMs: desk.now + 60_000
        )
        var word = PolicyGrant(policy: 2, request: granted, wallMs: desk.now)
        var book = desk.bench.state.policy
        book.apply(word)
        let thing = ClassifiedSubject(app: "steam")
        let during = book.decide(thing, member: "kim", wallMs: desk.now + 59_999)
        #expect(during.exemption == .grant("R1") && !during.isShielded && during.causes.count == 1)
        #expect(book.decide(thing, member: "kim", wallMs: desk.now + 60_000).isShielded)
        #expect(book.decide(thing, member: "lee", wallMs: desk.now) == .allowed)
        word.request.state = .revoked
        book.apply(word)
        #expect(book.decide(thing, member: "kim", wallMs: desk.now).isShielded)
    }

    @Test("Folding the oldest changes keeps the explanations of later moments and removes earlier ones")
    func folding() throws {
        let fold = ChangeLog.foldedAtOnce
        try steam(true, store: "first")
        try steam(true, store: "gone")
        _ = try desk.bench.ask(SettingsDelete.self, .init(app: ShieldDesk.app, stores: ["gone"]))
        for _ in 3..<fold {
            desk.pass(ms: 10)
            try steam(true, store: "second")
        }
        desk.pass(ms: 10)
        let folded = desk.now
        try desk.set(["shield.applications": []], store: "first")
        desk.pass(ms: 10)
        let after = desk.now
        let then = try desk.explain(app: "steam", at: folded - 1)
        let later = try desk.explain(app: "steam", at: after)
        #expect(then.decision.causes.map(\.store) == ["first", "second"])

        var size = desk.bench.state.changes
        try desk.bench.database.transaction {
            try ChangeTable.fold(&size, count: fold, database: desk.bench.database)
        }
        #expect(size.rows == 1)
        try desk.reopen()
        #expect(desk.bench.state.changes == size)
        #expect(size.since.ms == folded - 10)
        #expect(try desk.explain(app: "steam", at: folded - 1).decision == then.decision)
        #expect(try desk.explain(app: "steam", at: after).decision == later.decision)
        #expect(
            try desk.explain(app: "steam", at: folded - 11).lifts.first?.english.hasPrefix(
                "Screen Time has no records"
            ) == true
        )
        // Folding keeps the last change of the first store.
        #expect(try desk.explain(app: "steam", at: folded - 1).causes.first?.change.policy == 1)
    }
}
