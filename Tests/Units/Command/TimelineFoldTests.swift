import STCommandCore
import STContracts
import STPlatform
import Testing

/// A period from the beginning of the clock.
private func period(ms: Int64) -> Range<WallTime> { WallTime(ms: 0)..<WallTime(ms: ms) }

@Suite("The pieces of a timeline")
struct TimelineFoldTests {
    private func stretch(
        _ start: Int64,
        end: Int64,
        app: String? = "a",
        presence: Presence = .active,
        shielded: Bool? = nil,
        member: String = "m"
    ) -> Segment {
        Segment(
            segment: "s",
            agent: "g",
            run: "r",
            sequence: 1,
            member: member,
            presence: presence,
            app: app,
            domain: nil,
            bootId: "b",
            startBootMs: 0,
            endBootMs: end - start,
            startWallMs: start,
            zone: "UTC",
            category: "games",
            shielded: shielded
        )
    }

    @Test("Nearby intervals of the same row are joined, and all intervals are limited to the period")
    func fold() {
        let pieces = TimelineMerger.merged(
            [
                stretch(-5_000, end: 10_000), stretch(10_000, end: 20_000),
                stretch(20_000, end: 30_000, app: "b"),
                stretch(35_000, end: 60_000), stretch(90_000, end: 200_000),
                stretch(60_000, end: 90_000, app: nil, presence: .idle),
                stretch(200_000, end: 210_000, shielded: true),
                stretch(210_000, end: 220_000, app: nil, presence: .unobserved),
            ],
            in: period(ms: 150_000),
            byPerson: false
        )

        #expect(pieces.map(\.row) == [.app("a"), .app("b"), .away, .app("a")])
        #expect(pieces.map(\.start.ms) == [0, 20_000, 60_000, 90_000])
        #expect(pieces.map(\.end.ms) == [60_000, 30_000, 90_000, 150_000])
    }

    @Test("A joined interval counts only its own usage, and an unbroken interval ends when the app changes")
    func lengths() {
        // An hour in which two apps take turns, ten seconds each.
        let stretches = (0..<360).map { place in
            stretch(
                Int64(place) * 10_000,
                end: Int64(place + 1) * 10_000,
                app: place.isMultiple(of: 2) ? "a" : "b"
            )
        }

        let pieces = TimelineMerger.merged(stretches, in: period(ms: 3_600_000), byPerson: false)
        let unbroken = TimelineMerger.unbroken(stretches, in: period(ms: 3_600_000), byPerson: false)
        let gaps = TimelineMerger.unbroken(
            [stretch(0, end: 10_000), stretch(12_000, end: 20_000)],
            in: period(ms: 3_600_000),
            byPerson: false
        )

        #expect(pieces.map(\.used) == [.seconds(1_800), .seconds(1_800)])
        #expect(unbroken.count == 360 && unbroken.allSatisfy { $0.used == .seconds(10) })
        #expect(gaps.map(\.used) == [.seconds(18)] && gaps.map(\.end.ms) == [20_000])
    }

    @Test("Ten thousand intervals of two apps are joined to at most the maximum and keep their rows")
    func many() {
        let stretches = (0..<10_000).map { place in
            stretch(
                Int64(place) * 8_000,
                end: Int64(place) * 8_000 + 7_000,
                app: place.isMultiple(of: 2) ? "a" : "b"
            )
        }

        let pieces = TimelineMerger.merged(stretches, in: period(ms: 86_400_000), byPerson: false)
        let people = TimelineMerger.merged(stretches, in: period(ms: 86_400_000), byPerson: true)

        #expect(pieces.count <= TimelineMerger.piecesMax)
        #expect(Set(pieces.map(\.row)) == [.app("a"), .app("b")])
        #expect(people.map(\.row) == [.person("m")])
    }

    @Test("Intervals of 5,000 apps that cannot be joined are reduced to the maximum number")
    func bounded() {
        let stretches = (0..<5_000).map {
            stretch(Int64($0) * 1_000, end: Int64($0) * 1_000 + 900, app: "app\($0)")
        }
        let pieces = TimelineMerger.merged(stretches, in: period(ms: 86_400_000), byPerson: false)
        #expect(pieces.count == TimelineMerger.piecesMax)
    }
}
