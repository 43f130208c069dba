import Foundation
import STDomain
import STPlatform
import STTestSupport
import Testing

@Suite("Files of time zones")
struct TimeZoneFileTests {
    private static let folder = "/usr/share/zoneinfo"

    private static let names: [String] = {
        let found = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return found.filter { TimeZoneFile.named($0, in: folder) != nil }.sorted()
    }()

    private func bytes(_ name: String) throws -> [UInt8] {
        try AtomicFile.read(Self.folder + "/" + name, limitBytes: 1 << 20)
    }

    @Test("The names with a zone file are those that Foundation knows")
    func names() throws {
        let all = try #require(FileManager.default.enumerator(atPath: Self.folder)).compactMap {
            $0 as? String
        }
        let different = all.filter { (TimeZone(identifier: $0) != nil) != (ZoneRules.load($0) != nil) }

        #expect(different.isEmpty)
        #expect(Self.names.count > 400)
        #expect(Set(TimeZone.knownTimeZoneIdentifiers).subtracting(Self.names).isEmpty)
    }

    @Test("The offsets of every zone equal Foundation's from 1970 to 2100")
    func offsets() throws {
        let start = ZoneOracle.startMs(1970)
        let end = ZoneOracle.startMs(2100)
        var random = SeededRandom(seed: 29)
        // Before 1980, Debian and Foundation define these two by different places.
        for name in Self.names where name != "EET" && name != "WET" {
            let zone = try #require(TimeZone(identifier: name))
            let oracle = try #require(ZoneOracle(name))
            let rules = try #require(ZoneRules.load(name))
            let changes = oracle.transitions(fromYear: 1970, toYear: 2100).flatMap { [$0 - 1000, $0] }
            let drawn = (0..<50).map { _ in random.number(start...end) / 1000 * 1000 }
            let wrong = (changes + drawn).first { ms in
                let moment = Date(timeIntervalSince1970: Double(ms) / 1000)
                return rules.offsetMs(atMs: ms) != Int64(zone.secondsFromGMT(for: moment)) * 1000
            }

            #expect(wrong == nil, "\(name)")
        }
    }

    @Test("In every zone, skipped and repeated local times are as long as the clock change")
    func changes() throws {
        var changes = 0
        for name in Self.names {
            let rules = try #require(ZoneRules.load(name))
            for change in try #require(ZoneOracle(name)).transitions(fromYear: 1990, toYear: 2060) {
                let before = rules.offsetMs(atMs: change - 1)
                let after = rules.offsetMs(atMs: change)
                let shown = rules.moment(showing: change + max(before, after) - 1)
                if after != before { changes += 1 }

                if after > before {
                    #expect(shown.missingMs == after - before, "\(name) at \(change)")
                } else if after < before {
                    #expect(shown.firstMs == change - 1, "\(name) at \(change)")
                    #expect(shown.secondMs == change - 1 + before - after, "\(name) at \(change)")
                }
            }
        }
        #expect(changes > 1_000)
    }

    @Test(
        "A zone with a fixed offset from UTC needs no file",
        arguments: [
            ("UTC", 0), ("GMT", 0), ("GMT+3", 10_800), ("UTC-2", -7200), ("GMT+0330", 12_600),
            ("GMT-12:30", -45_000),
            ("GMT+3:30", 12_600), ("GMT+18", 64_800), ("GMT-0", 0),
        ]
    )
    func fixed(name: String, offset: Int64) {
        #expect(TimeZoneFile.named(name, in: "/nonexistent")?.firstOffset == offset)
        #expect(TimeZone(identifier: name)?.secondsFromGMT() == Int(offset))
    }

    @Test(
        "An old three-letter name is the same zone as in Foundation",
        arguments: ["PST", "IST", "MIT", "CNT"]
    )
    func old(name: String) throws {
        let rules = try #require(ZoneRules.load(name))
        let ms = at("2026-07-01 00:00")
        let zone = try #require(TimeZone(identifier: name))

        #expect(
            rules.offsetMs(atMs: ms) == Int64(
                zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(ms) / 1000))
            ) * 1000
        )
    }

    @Test(
        "An invalid zone name has no file",
        arguments: [
            "", "/", "..", "../zoneinfo/UTC", "Europe/../UTC", "Europe/", "Europe//Berlin", "./UTC",
            "/usr/share/zoneinfo/UTC",
            "posix/UTC", "right/UTC", "localtime", "posixrules", "zone.tab", "europe/berlin",
            ":Europe/Berlin", "Europe",
            "Europe/Berlin ", "Europe/Berlin\u{0}", "GMT+19", "GMT+330", "GMT+3:3", "GMT+0360", "GMT+1801",
            "GMT+", "GMT+1:",
            "GMT+١", "gmt+3", "CET-1CEST", "KST",
        ]
    )
    func refused(name: String) {
        #expect(TimeZoneFile.named(name, in: Self.folder) == nil)
        #expect(name == "Europe" || TimeZone(identifier: name) == nil || name.utf8.contains(0))
    }

    @Test("A file's rule for the future applies after the last change in the file")
    func rules() throws {
        func zone(_ rule: String) -> TimeZoneFile? { TimeZoneFile(Self.file(rule)) }
        func offset(_ zone: TimeZoneFile?, _ text: String) -> Int64? {
            let seconds = at(text) / 1000
            return zone.map { file in file.changes.last { $0.at <= seconds }?.offset ?? file.firstOffset }
        }

        let berlin = zone("CET-1CEST,M3.5.0,M10.5.0/3")
        #expect(offset(berlin, "2199-07-01 00:00") == 7200)
        #expect(offset(berlin, "2026-03-29 00:59") == 3600)
        #expect(offset(berlin, "2026-03-29 01:00") == 7200)
        // Irish law, in which winter time is the special time, summers over the new year, and hours beyond one day.
        #expect(offset(zone("IST-1GMT0,M10.5.0,M3.5.0/1"), "2026-01-01 00:00") == 0)
        #expect(offset(zone("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"), "2026-01-01 00:00") == 39_600)
        #expect(offset(zone("<-02>2<-01>,M3.5.0/-1,M10.5.0/0"), "2026-03-29 01:00") == -3600)
        #expect(offset(zone("EET-2EEST,M3.4.4/50,M10.4.4/50"), "2026-03-28 00:00") == 10_800)
        // Summer time all year, which ends and begins at the same moment.
        #expect(zone("ZZZ3EDT4,0/0,J365/23").map { Set($0.changes.dropLast().map(\.offset)) } == [-14_400])
        #expect(offset(zone("AAA0BBB,J60,J300"), "2028-03-01 02:00") == 3600)
        #expect(offset(zone("AAA0BBB,59,299"), "2028-02-29 02:00") == 3600)
        #expect(zone("UTC0")?.changes == [])
        #expect(zone("")?.changes == [])
    }

    @Test(
        "A file with an invalid rule for the future is rejected",
        arguments: [
            "C", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
            "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J366", "CET-1CEST,366,1",
            "CET-1CEST,M3.5.0,M10.5.0/168",
            "CET-168", "CET-1CEST,M3.5.0,M10.5.0,", "<CET-1", "<>1", "CET-1:60", "CET-99999999999999999999",
        ]
    )
    func senseless(rule: String) {
        #expect(TimeZoneFile(Self.file(rule)) == nil)
    }

    @Test("A truncated zone file is rejected, and one with changed bytes is rejected or usable")
    func damaged() throws {
        var random = SeededRandom(seed: 31)
        var zones = 0
        for name in ["Europe/Berlin", "America/St_Johns", "Africa/Casablanca", "Asia/Gaza", "Etc/GMT+12"] {
            let whole = try bytes(name)
            #expect(TimeZoneFile(whole) != nil)
            for end in 0..<whole.count {
                #expect(TimeZoneFile(Array(whole[..<end])) == nil, "\(name) to \(end)")
            }
            for _ in 0..<4000 {
                var broken = whole
                for _ in 0...random.number(0...2) {
                    broken[Int(random.next() % UInt64(whole.count))] = UInt8(
                        truncatingIfNeeded: random.next()
                    )
                }
                guard let file = TimeZoneFile(broken) else { continue }
                let rules = ZoneRules(file)
                zones += 1
                for _ in 0..<3 {
                    let ms: Int64 = random.number(-9_000_000_000_000...9_000_000_000_000)
                    #expect(abs(rules.offsetMs(atMs: ms)) < 93_600_000)
                    _ = rules.endOfDay(atMs: ms)
                }
            }
        }
        #expect(zones > 0)
        for _ in 0..<2000 {
            let noise = (0..<random.number(0...200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(TimeZoneFile(Array("TZif2".utf8) + noise) == nil)
        }
    }

    @Test("A zone file of version 1, with leap seconds or with excessive counts is rejected")
    func hostile() throws {
        let whole = try bytes("Europe/Berlin")
        var first = whole
        first[4] = 0
        #expect(TimeZoneFile(first) == nil)
        for count in 20..<44 {
            var broken = whole
            broken[count] = 0x7f
            #expect(TimeZoneFile(broken) == nil)
        }
        #expect(TimeZoneFile.named("Berlin", in: Self.folder + "/right/Europe") == nil)
    }

    /// A zone file without changes and one second west of UTC, with a rule for the future.
    private static func file(_ rule: String) -> [UInt8] {
        func header(_ types: UInt8) -> [UInt8] {
            Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15 + 19) + [types] + [0, 0, 0, types]
        }
        let type: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0, 0] + [0]
        return header(1) + type + header(1) + type + Array("\n\(rule)\n".utf8)
    }
}
