import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

/// Two days that ActivityWatch's server has recorded and summed up itself. The clock was set ahead in the night between them.
@Suite("Imports from other programs", .serialized)
struct PastTests {
    private struct Sums: Codable, WireBody {
        var apps: [String: [String: Double]]
        var sites: [String: [String: Double]]
    }

    private static let export = BuiltTree.source("Tests/Golden/Past/activitywatch.json")
    private static let zone = ["TZ": "Europe/Berlin"]
    /// 30 March 2025, 0:00 in Berlin.
    private static let midnightMs: Int64 = 1_743_289_200_000

    private static func sums() throws -> Sums {
        let path = BuiltTree.source("Tests/Golden/Past/activitywatch-sums.json")
        return try Sums.decodedBody(try AtomicFile.read(path, limitBytes: 100_000))
    }

    /// Returns seconds by day and app or site. Intervals over midnight are cut there.
    private static func told(_ rows: [Segment], _ name: (Segment) -> String?) -> [String: [String: Double]] {
        var sums: [String: [String: Double]] = [:]
        for row in rows where row.presence == .active {
            guard let name = name(row) else { continue }
            let endMs = row.startWallMs + row.durationMs
            let before = max(0, min(endMs, midnightMs) - row.startWallMs)
            for (day, ms) in [("2025-03-29", before), ("2025-03-30", row.durationMs - before)] where ms > 0 {
                sums[day, default: [:]][name, default: 0] += Double(ms) / 1000
            }
        }
        return sums
    }

    private static func expectEqual(_ told: [String: [String: Double]], _ wanted: [String: [String: Double]])
    {
        #expect(Set(told.keys) == Set(wanted.keys))
        for (day, sums) in wanted {
            #expect(Set(told[day, default: [:]].keys) == Set(sums.keys), "\(day)")
            for (name, seconds) in sums {
                let got = told[day]?[name] ?? 0
                #expect(abs(got - seconds) < 0.05, "\(day) \(name): \(got) and not \(seconds)")
            }
        }
    }

    @Test(
        "An import from ActivityWatch has the sums of its own queries by day, app and site, and adds rows once"
    )
    func activityWatch() async throws {
        try await TransferDesk.run { desk in
            let line = ["import", "activitywatch", Self.export, "--here", "desk"]
            let dry = try desk.command(line + ["--dry-run"], environment: Self.zone)
            #expect(dry.code == .exited(0), "\(dry.text)")
            #expect(dry.text.contains("on 2 days, from 2025-03-29 to 2025-03-30"), "\(dry.text)")
            #expect(try await desk.ledger().isEmpty)

            let brought = try desk.command(line, environment: Self.zone)
            #expect(brought.code == .exited(0), "\(brought.text)")
            let rows = try await desk.ledger()
            #expect(
                rows.allSatisfy { $0.knownBy == .imported && $0.device == nil && $0.zone == "Europe/Berlin" }
            )
            let sums = try Self.sums()
            Self.expectEqual(Self.told(rows) { $0.app }, sums.apps)
            // This project records only hosts, in lower case, and pages without a site have none.
            let sites = sums.sites.mapValues { day in
                var hosts: [String: Double] = [:]
                for (name, seconds) in day where name.contains(".") || name.contains(":") {
                    var host =
                        (name.hasPrefix("WWW.") ? name.dropFirst(4) : name[...]).lowercased().split(
                            separator: "@"
                        ).last.map(String.init) ?? ""
                    if !host.hasPrefix("[") {
                        host = String(host.prefix { $0 != ":" })
                    } else {
                        host = "[::1]"
                    }
                    hosts[host, default: 0] += seconds
                }
                return hosts
            }
            var found = Self.told(rows) { $0.domain }
            // The server leaves out names in other scripts.
            for day in found.keys { found[day] = found[day]?.filter { !$0.key.hasPrefix("xn--") } }
            Self.expectEqual(found, sites)
            #expect(rows.contains { $0.presence == .idle })

            let again = try desk.command(line + ["--json"], environment: Self.zone)
            #expect(
                again.text.contains("\"added\": 0") && again.text.contains("\"overlapping\": 0"),
                "\(again.text)"
            )
            #expect(try await desk.ledger().count == rows.count)
            #expect(try await desk.fault() == nil)
        }
    }

    @Test("Imported usage can be exported in ActivityWatch's format and imported again with equal sums")
    func wayOut() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("out.json")
        let first = try await TransferDesk.run { desk in
            _ = try desk.command(
                ["import", "activitywatch", Self.export, "--here", "desk"],
                environment: Self.zone
            )
            let out = try desk.command(["export", "activitywatch", path])
            #expect(out.code == .exited(0), "\(out.text)")
            let twice = try desk.command(["export", "activitywatch", path])
            #expect(twice.code == .exited(1) && twice.text.contains("never replaces"), "\(twice.text)")
            return TransferDesk.sums(try await desk.ledger())
        }
        try await TransferDesk.run { desk in
            let back = try desk.command(["import", "activitywatch", path], environment: Self.zone)
            #expect(back.code == .exited(0), "\(back.text)")
            let sums = TransferDesk.sums(try await desk.ledger())
            #expect(sums.keys.sorted() == first.keys.sorted())
            for (name, ms) in first { #expect(abs(ms - (sums[name] ?? 0)) <= 100, "\(name)") }
        }
    }

    @Test("An import skips time that is already recorded, and one command undoes only this import")
    func undo() async throws {
        try await TransferDesk.run { desk in
            let scratch = desk.system.scratch
            // Half an hour of the second day, observed by another program.
            let table = scratch.file("seen.csv")
            let own =
                "Begin;Länge;App\n2025-03-30 10:00;0:30:00;own\n\"2025-03-30 11:00:00\";90;\"a \"\"b\"\"; c\"\n"
            try AtomicFile.write(Array(own.utf8), to: table, durable: false)
            let seen = try desk.command(
                ["import", "csv", table, "--start", "Begin", "--length", "Länge"],
                environment: Self.zone
            )
            #expect(seen.code == .exited(0), "\(seen.text)")
            let before = try await desk.ledger()
            #expect(before.map(\.app) == ["own", "a \"b\"; c"])
            #expect(before.map(\.durationMs) == [1_800_000, 90_000])

            let line = ["import", "activitywatch", Self.export, "--here", "desk"]
            let brought = try desk.command(line, environment: Self.zone)
            #expect(
                brought.code == .exited(0) && brought.text.contains("other usage is already recorded"),
                "\(brought.text)"
            )
            let both = try await desk.ledger()
            #expect(both.count > 200)
            #expect(
                !both.contains {
                    $0.run.hasPrefix("activity")
                        && (1_743_321_600_000..<1_743_323_400_000).contains($0.startWallMs)
                }
            )
            // Import it as data of another computer.
            let other = try desk.command(
                ["import", "activitywatch", Self.export, "--json"],
                environment: Self.zone
            )
            #expect(other.code == .exited(0) && other.text.contains("\"overlapping\": 0"), "\(other.text)")
            let name = try #require(try await desk.ledger().last?.run)

            let unknown = try desk.command(["import", "undo", "activitywatch-1"])
            #expect(
                unknown.code == .exited(1) && unknown.text.contains("no import activitywatch-1"),
                "\(unknown.text)"
            )
            let named = try desk.command(["import", "undo", name])
            #expect(named.code == .exited(0), "\(named.text)")
            #expect(try await desk.ledger().map(\.segment) == both.map(\.segment))
            #expect(try await desk.system.client.call(UsageNow.self, .init()).devices?.isEmpty != false)
            let last = try desk.command(["import", "undo"])
            #expect(last.code == .exited(0), "\(last.text)")
            #expect(try await desk.ledger().map(\.segment) == before.map(\.segment))
            #expect(try await desk.fault() == nil)
            let history = try await desk.system.client.call(HistoryList.self, .init(limit: 100)).lines
            #expect(history.filter { $0.what == .imported }.count == 3)
            #expect(history.filter { $0.what == .forgotten }.compactMap(\.about).contains(name))
        }
    }

    @Test("Imports from a missing server, damaged files or other files are refused with their codes")
    func refusals() async throws {
        try await TransferDesk.run { desk in
            let scratch = desk.system.scratch
            var files = 0
            func file(_ text: String) throws -> String {
                files += 1
                let path = scratch.file("file-\(files)")
                try AtomicFile.write(Array(text.utf8), to: path, durable: false)
                return path
            }
            let cases: [([String], String)] = [
                (["activitywatch", "--server", "http://127.0.0.1:9"], "import.no_server"),
                (["activitywatch", "--server", "file:///etc/passwd"], "usage.bad_address"),
                (["activitywatch", try file("{}"), "--server", "http://127.0.0.1:9"], "usage.conflict"),
                (["activitywatch", try file("{\"buckets\": [")], "import.not_activitywatch"),
                (["activitywatch", try file("[1, 2]")], "import.not_activitywatch"),
                (["activitywatch", try file("{\"other\": 1}")], "import.not_activitywatch"),
                (["activitywatch", scratch.path], "import.not_readable"),
                (["csv", scratch.file("none")], "import.not_readable"),
                (["csv", try file("")], "import.empty_table"),
                (["csv", try file("a,b\n1,2\n")], "import.no_times"),
                (
                    ["csv", try file("start,end,x\n2025-01-01 10:00,2025-01-01 11:00\n"), "--app", "y"],
                    "import.no_column"
                ),
                (["csv", try file("start,end\n2025-01-01 10:00,soon\n")], "import.bad_time"),
                (["csv", try file("start,end\n2025-01-01 10:00,2025-01-01 09:00\n")], "import.bad_time"),
                (["csv", try file("start,end\n\"2025-01-01 10:00,2025\n")], "import.open_quote"),
                (
                    [
                        "csv", try file("start,end\n2025-01-01 10:00,2025-01-01 11:00\n"), "--member",
                        "nobody",
                    ], "member.not_found"
                ),
                (["timekpr", "../passwd"], "import.bad_user"),
                (["timekpr", "child", "--folder", scratch.path], "import.no_timekpr"),
                (["undo"], "import.unknown"),
            ]
            for (words, code) in cases {
                let answer = try desk.command(["import"] + words + ["--json"])
                #expect(answer.text.contains("\"\(code)\""), "\(words): \(answer.text)")
                #expect(answer.code != .exited(0))
            }
            #expect(try await desk.ledger().isEmpty)
        }
    }

    /// Returns timekpr's limits without any counted time.
    private static func withoutTime(_ folder: String, _ scratch: ScratchDirectory) throws -> String {
        let alone = scratch.file("alone")
        for path in [alone, alone + "/config"] { try Directories.prepare(path) }
        let name = "/config/timekpr.teen.conf"
        try AtomicFile.write(
            try AtomicFile.read(folder + name, limitBytes: 100_000),
            to: alone + name,
            durable: false
        )
        return alone
    }

    private static func rules(_ system: TestSystem) async throws -> [String: RuleSpec] {
        let views = try await system.client.call(RuleList.self, .init()).rules
        return Dictionary(uniqueKeysWithValues: views.map { ($0.rule.name ?? "", $0.rule) })
    }

    @Test("An import from timekpr creates rules with the same times, and undoing it removes them")
    func rules() async throws {
        try await TestSystem.run(services: [.auth, .activity, .monitor, .shield, .report]) { system in
            let desk = TransferDesk(system: system)
            let folder = BuiltTree.source("Tests/Golden/Past/timekpr")
            let owner = try await system.client.call(MemberList.self, Empty()).members[0].name
            let whose = try desk.command(["import", "timekpr", "child", "--folder", folder])
            #expect(
                whose.code == .exited(1)
                    && whose.text.contains("does not belong to a member of the household"),
                "\(whose.text)"
            )
            let brought = try desk.command(
                ["import", "timekpr", "child", "--folder", folder, "--member", owner],
                environment: Self.zone
            )
            #expect(brought.code == .exited(0), "\(brought.text)")
            #expect(brought.text.contains("per month") && brought.text.contains("steam.*"), "\(brought.text)")
            let made = try await Self.rules(system)
            // Two hours from Monday to Friday, four at weekends.
            #expect(
                made["timekpr-limit"]?.durationMs == 7_200_000
                    && made["timekpr-limit"]?.days == [2, 3, 4, 5, 6]
            )
            #expect(
                made["timekpr-limit-2"]?.durationMs == 14_400_000 && made["timekpr-limit-2"]?.days == [1, 7]
            )
            #expect(made["timekpr-playtime"]?.targets.map(\.id) == ["minecraft-launcher"])
            let closed = made.values.filter { $0.kind == .downtime }
            let evenings = closed.filter { $0.window?.from == "19:30" && $0.window?.to == "07:30" }
            // From Sunday to Thursday. The morning after Sunday's night is that of a school day.
            #expect(evenings.flatMap { $0.days ?? [] }.sorted() == [1, 2, 3, 4, 5])
            #expect(
                closed.contains {
                    $0.window == RuleWindow(from: "12:45", to: "14:00") && $0.days == [2, 3, 4, 5, 6]
                }
            )
            #expect(closed.contains { $0.window == RuleWindow(from: "20:45", to: "09:00") && $0.days == [6] })
            let today = try await desk.ledger()
            #expect(today.map(\.durationMs) == [5_100_000] && today.first?.app == nil)

            let again = try desk.command(
                ["import", "timekpr", "child", "--folder", folder, "--member", owner],
                environment: Self.zone
            )
            #expect(
                again.code == .exited(0) && again.text.contains("These rules already exist"),
                "\(again.text)"
            )
            let undone = try desk.command(["import", "undo"])
            #expect(undone.code == .exited(0), "\(undone.text)")
            #expect(try await Self.rules(system).isEmpty)
            #expect(try await desk.ledger().isEmpty)
        }
    }

    @Test("Closed days, accounts without limits, and GNOME's limits and times are imported")
    func otherRules() async throws {
        try await TestSystem.run(services: [.auth, .activity, .monitor, .shield, .report]) { system in
            let desk = TransferDesk(system: system)
            let folder = BuiltTree.source("Tests/Golden/Past/timekpr")
            let owner = try await system.client.call(MemberList.self, Empty()).members[0].name
            _ = try await system.client.call(MemberAdd.self, Member(name: "teen", role: .individual))
            // Wednesday is closed completely. An open account has no limits.
            let teen = try desk.command(
                ["import", "timekpr", "teen", "--folder", folder],
                environment: Self.zone
            )
            #expect(teen.code == .exited(0), "\(teen.text)")
            // The account belongs to the person with that name, and to no other.
            let wednesday = try await Self.rules(system).values.filter {
                $0.kind == .downtime && $0.days?.contains(4) == true && $0.member == "teen"
            }
            #expect(
                wednesday.contains { $0.window == RuleWindow(from: "12:00", to: "08:00") },
                "\(wednesday)"
            )
            let free = try desk.command([
                "import", "timekpr", "free", "--folder", folder, "--dry-run", "--member", owner,
            ])
            #expect(free.text.contains("has no limits for free"), "\(free.text)")

            // An import can contain only rules. A dry run lists the existing ones.
            let again = try desk.command(
                ["import", "timekpr", "teen", "--folder", folder, "--dry-run"],
                environment: Self.zone
            )
            #expect(again.text.contains("These rules already exist"), "\(again.text)")
            for _ in 0..<2 {
                let undone = try desk.command(["import", "undo"])
                #expect(
                    undone.code == .exited(0) && undone.text.contains("Removed the rule"),
                    "\(undone.text)"
                )
                #expect(try await Self.rules(system).isEmpty)
                let alone = try Self.withoutTime(folder, desk.system.scratch)
                let rules = try desk.command(
                    ["import", "timekpr", "teen", "--folder", alone],
                    environment: Self.zone
                )
                #expect(
                    rules.code == .exited(0) && rules.text.contains("import undo timekpr-"),
                    "\(rules.text)"
                )
            }
            #expect(try await desk.ledger().isEmpty)

            let gnome = BuiltTree.source("Tests/Golden/Past/gnome")
            let limits = try desk.command(
                ["import", "malcontent", "child", "--folder", gnome, "--member", owner],
                environment: Self.zone
            )
            #expect(limits.code == .exited(0) && limits.text.contains("gsettings set"), "\(limits.text)")
            #expect(try await Self.rules(system)["malcontent-limit"]?.durationMs == 7_200_000)
            #expect(
                try await Self.rules(system)["malcontent-downtime"]?.window
                    == RuleWindow(from: "19:00", to: "08:00")
            )
            let times = try await desk.ledger().filter { $0.agent == "malcontent" }
            // The last interval has no recorded end.
            #expect(times.map(\.durationMs) == [5_369_000, 2_694_000])
        }
    }
}
