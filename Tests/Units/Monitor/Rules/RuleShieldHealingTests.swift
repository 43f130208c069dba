import STContracts
import STPlatform
import STTestKit
import Testing

@testable import STMonitorCore

@Suite("Correcting shield-service while it runs")
struct RuleShieldHealingTests {
    private let shields: ShieldDesk
    private var desk: RuleDesk { shields.desk }

    init() throws { shields = try ShieldDesk() }

    @Test("a change in shield-service that no rule asked for is checked; one that was asked for is not")
    func heard() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        try shields.tell()
        #expect(try desk.bench.nextShield().doubts == nil)

        for change in [["isActive": .bool(false)], [:], nil] as [[String: JSONValue]?] {
            shields.tamper("owner/firefox", change)
            try shields.tell()
            #expect(try desk.bench.nextShield().doubts != nil)
            try shields.keep()
            #expect(shields.stores == ["owner/firefox": "apps firefox"])
            try shields.tell()
            #expect(try desk.bench.nextShield().doubts == nil)
        }
        let list = PolicyAllowed(
            policy: 99,
            member: "owner",
            items: [RuleDesk.app("firefox")],
            wallMs: RuleDesk.noonMs
        )
        let event = try CoreBench<MonitorState>.event(PolicyAllowedChanged.self, 99, subject: "", list)
        try desk.bench.follow([event], subscription: 2)
        #expect(try desk.bench.nextShield().doubts != nil)
    }

    @Test("a shield-service that has lost everything is asked again")
    func forgotten() throws {
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        shields.tamper("owner/firefox", nil)
        try desk.bench.rebuild([], subscription: 2)
        try shields.keep()
        #expect(shields.stores == ["owner/firefox": "apps firefox"])
    }

    @Test("a store that was switched off is switched on again with what it should hold")
    func switchedOn() throws {
        try shields.add(RuleDesk.limit())
        let asks = try desk.bench.deliver("d1", RuleDesk.reached("firefox")).shields
        #expect(asks.first?.set?.settings["isActive"] == .some(.null))
    }

    @Test("an older request that takes effect last is followed by the newer one once more")
    func passing() throws {
        try shields.add(RuleDesk.limit())
        let set = try desk.bench.deliver("d1", RuleDesk.reached("firefox")).shields
        _ = try desk.bench.ask(RuleEdit.self, .init(name: "firefox", durationMs: 5_400_000))
        let clear = try #require(try desk.bench.nextShield().ask)
        try shields.take(clear)
        // On its other socket it was slower.
        try shields.take(set[0])
        #expect(shields.stores == ["owner/firefox": "apps firefox"])
        try shields.keep()
        #expect(shields.stores == ["owner/firefox": ""])
        #expect(try desk.bench.nextShield().ask == nil)
    }

    @Test("keys belong to one database, and survive a restart")
    func keys() throws {
        let epoch = desk.book.epoch
        #expect(epoch.count > 20)
        try desk.restart()
        #expect(desk.book.epoch == epoch)
        #expect(try RuleDesk().book.epoch != epoch)
        try shields.add(RuleDesk.limit())
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        let key = try #require(desk.book.shields.asked.values.first).key
        #expect(key.hasPrefix("rule-shield/\(epoch)/"))
    }

    @Test("a refusal that may pass is asked again with a new key, each time later")
    func refusedForNow() throws {
        try shields.add(RuleDesk.limit())
        shields.refusal = Problem("member.unknown", "The household has no member called owner.")
        try shields.deliver("d1", RuleDesk.reached("firefox"))
        for waitMs: Int64 in [5_000, 10_000] {
            let next = try desk.bench.nextShield()
            #expect(next.ask == nil && next.nextWallMs == desk.bench.time.now().wallMs + waitMs)
            desk.bench.time.advance(byMs: waitMs)
            let ask = try #require(try desk.bench.nextShield().ask)
            try shields.take(ask)
        }
        shields.refusal = nil
        desk.bench.time.advance(byMs: 20_000)
        try shields.keep()
        #expect(shields.stores == ["owner/firefox": "apps firefox"])
        #expect(try desk.bench.ask(RuleList.self, .init()).rules[0].problem == nil)
    }
}
