import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STShieldCore

@Suite("Shields of a time that a person deleted")
struct ForgottenShieldsTests {
    private static let marker = "org.example.marker"
    private let showing: Showing

    init() throws {
        showing = try Showing([Showing.store("a"): StoreShields(apps: [Showing.game, Self.marker])])
        showing.answer(Showing.look("own"), press: .init(response: .close))
    }

    private func show(_ app: String, at wallMs: Int64, segment: String? = nil) throws {
        let shield = try showing.bench.ask(
            ShieldShow.self,
            .init(subject: .init(app: app), segment: segment, wallMs: wallMs),
            key: "\(app) \(wallMs)"
        ).shield
        _ = try showing.press(shield, button: .secondary, press: 1)
    }

    private func forget(_ body: EvidenceForgotten.Body) throws {
        let event = try CoreBench<ShieldState>.event(
            EvidenceForgotten.self,
            sequence: 1,
            subject: "forgotten/1",
            body: body
        )
        try showing.bench.follow([event], subscription: 1)
    }

    private func list() throws -> [String] {
        try showing.bench.ask(ShieldList.self, .init()).shields.compactMap(\.subject.app)
    }

    /// Whether a file of the database does.
    private func holdsMarker() -> Bool {
        ["bench.sqlite", "bench.sqlite-wal"].contains { name in
            ScratchDirectory.text(showing.bench.scratch.file(name)).contains(Self.marker)
        }
    }

    @Test("are gone: from the list, from the events, and from the file")
    func gone() throws {
        try show(Showing.game, at: 999)
        try show(Self.marker, at: 1_000)
        try show(Self.marker, at: 1_999)
        try show(Showing.game, at: 2_000)
        // Known by the stretch that it lies in.
        try show(Self.marker, at: 5_000, segment: "s1")
        let before = try showing.bench.ask(EventsSince.self, .init(stream: "shield"))
        #expect(try list().count == 5)
        #expect(holdsMarker())

        try forget(.init(member: "lee", segments: ["s1"], fromWallMs: 0, toWallMs: 9_000))
        #expect(try list().count == 5)
        try forget(.init(member: Showing.member, segments: ["s1"], fromWallMs: 1_000, toWallMs: 2_000))
        #expect(try list() == [Showing.game, Showing.game])
        let after = try showing.bench.ask(EventsSince.self, .init(stream: "shield"))
        #expect(after.head.epoch != before.head.epoch)
        let types = [
            ShieldShown.type, ShieldShown.type, ShieldRedacted.type, ShieldRedacted.type, ShieldRedacted.type,
            ShieldRedacted.type, ShieldShown.type, ShieldShown.type, ShieldRedacted.type, ShieldRedacted.type,
        ]
        #expect(after.events.map(\.header.type) == types)
        #expect(!holdsMarker())
        // Told again, as by a snapshot, it changes nothing.
        try forget(.init(member: Showing.member, segments: ["s1"], fromWallMs: 1_000, toWallMs: 2_000))
        let again = try showing.bench.ask(EventsSince.self, .init(stream: "shield"))
        #expect(again.head.epoch == after.head.epoch)
    }

    @Test("from an activity-center that names no time, go by their stretches alone")
    func stretches() throws {
        try show(Showing.game, at: 1_000)
        try show(Self.marker, at: 1_000, segment: "s1")
        try forget(.init(member: Showing.member, segments: ["s0", "s1"]))
        #expect(try list() == [Showing.game])
    }
}
