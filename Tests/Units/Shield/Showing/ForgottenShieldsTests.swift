import STContracts
import STDomain
import STPlatform
import STTestKit
import STTestSupport
import Testing

@testable import STShieldCore

@Suite("Shields in deleted periods")
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

    /// Returns true if a file of the database contains the marker.
    private func holdsMarker() -> Bool {
        ["bench.sqlite", "bench.sqlite-wal"].contains { name in
            ScratchDirectory.text(showing.bench.scratch.file(name)).contains(Self.marker)
        }
    }

    @Test("Deleting a period removes the member's shields from the list, the events and the database file")
    func gone() throws {
        try show(Showing.game, at: 999)
        try show(Self.marker, at: 1_000)
        try show(Self.marker, at: 1_999)
        try show(Showing.game, at: 2_000)
        // Identified by its usage segment.
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
        // Applying the event again, as in a snapshot, changes nothing.
        try forget(.init(member: Showing.member, segments: ["s1"], fromWallMs: 1_000, toWallMs: 2_000))
        let again = try showing.bench.ask(EventsSince.self, .init(stream: "shield"))
        #expect(again.head.epoch == after.head.epoch)
    }

    @Test("If a deletion contains no times, shields are removed by their usage segments only")
    func stretches() throws {
        try show(Showing.game, at: 1_000)
        try show(Self.marker, at: 1_000, segment: "s1")
        try forget(.init(member: Showing.member, segments: ["s0", "s1"]))
        #expect(try list() == [Showing.game])
    }
}
