import Foundation
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Offsets and local times of time zones")
struct ZoneRulesTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Seoul", "Asia/Kathmandu", "Australia/Lord_Howe",
        "Pacific/Apia", "Pacific/Chatham", "Africa/Cairo", "America/Sao_Paulo", "America/St_Johns",
        "Africa/Casablanca", "America/Nuuk", "Antarctica/Troll", "Africa/Monrovia", "Etc/GMT+12", "GMT+0330",
    ]

    @Test("A zone's offsets equal Foundation's at random moments and around changes", arguments: zones)
    func offsets(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let oracle = try #require(ZoneOracle(name))
        let rules = try #require(ZoneRules.load(name))
        var random = SeededRandom(seed: 11)
        let drawn = (0..<1000).map { _ in random.number(ZoneRules.firstMs...ZoneRules.lastMs) / 1000 * 1000 }
        let changes = oracle.transitions(fromYear: 1900, toYear: 2200).flatMap { [$0 - 1000, $0, $0 + 1000] }
        let wrong = (drawn + changes).first { ms in
            let moment = Date(timeIntervalSince1970: Double(ms) / 1000)
            return rules.offsetMs(atMs: ms) != Int64(zone.secondsFromGMT(for: moment)) * 1000
        }

        #expect(wrong == nil)
    }

    @Test("A local time that a zone shows is converted back to its moment", arguments: zones)
    func showing(name: String) throws {
        let rules = try #require(ZoneRules.load(name))
        let oracle = try #require(ZoneOracle(name))
        for change in oracle.transitions(fromYear: 2009, toYear: 2012) + [at("2026-11-20 12:00")] {
            for minutes in -200...200 as ClosedRange<Int64> {
                let ms = change + minutes * 60_000
                let local = rules.localMs(atMs: ms)
                let found = rules.moment(showing: local)

                #expect(found.missingMs == 0)
                #expect(found.firstMs == ms || found.secondMs == ms, "\(name) at \(ms)")
                #expect(rules.localMs(atMs: found.firstMs) == local)
                #expect(found.secondMs.map { rules.localMs(atMs: $0) == local && $0 > found.firstMs } ?? true)
                #expect(rules.latestLocalMs(upToMs: ms) >= local)
            }
        }
    }

    @Test("A skipped local time has the length of the gap, and a repeated one has both moments")
    func changes() throws {
        let rules = try #require(ZoneRules.load("Europe/Berlin"))

        let spring = rules.moment(showing: at("2026-03-29 02:30"))
        let autumn = rules.moment(showing: at("2026-10-25 02:30"))

        #expect(spring.firstMs == at("2026-03-29 01:30"))
        #expect(spring.secondMs == nil)
        #expect(spring.missingMs == 3_600_000)
        #expect(autumn.firstMs == at("2026-10-25 00:30"))
        #expect(autumn.secondMs == at("2026-10-25 01:30"))
        #expect(autumn.missingMs == 0)
        #expect(rules.latestLocalMs(upToMs: at("2026-10-25 01:10")) == at("2026-10-25 03:00"))
    }

    @Test(
        "An invalid zone name has no rules",
        arguments: [
            "", "Europe/Atlantis", "../../etc/passwd", "Asia/Seoul\u{0}", String(repeating: "A/", count: 40),
        ]
    )
    func unknown(zone: String) {
        #expect(ZoneRules.load(zone) == nil)
    }

    @Test("Zones are found even if more are requested than the cache holds")
    func cache() {
        let zones = TimeZone.knownTimeZoneIdentifiers.prefix(ZoneRules.cachedMax * 2)

        #expect(zones.count > ZoneRules.cachedMax)
        #expect(zones.allSatisfy { ZoneRules.load($0) != nil })
        #expect(ZoneRules.load("Europe/Berlin")?.offsetMs(atMs: 0) == 3_600_000)
    }
}
