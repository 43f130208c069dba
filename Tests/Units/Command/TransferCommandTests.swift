import Glibc
import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("data export and data import", .timeLimit(.minutes(5)))
struct TransferCommandTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private static func fields(_ text: String) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONOutput.value(Array(text.utf8)) else { return [:] }
        return members
    }

    /// The lines of what a full house exports.
    private func exported() async throws -> (house: TransferHouse, path: String, lines: [String]) {
        let house = try TransferHouse(TransferHouse.full)
        let path = scratch.file("export.jsonl")
        let (code, output) = try await house.run(["data", "export", path])
        #expect(code == 0, "\(output.error)")
        let lines = ScratchDirectory.text(path).split(separator: "\n").map(String.init)
        return (house, path, lines)
    }

    private static func empty() throws -> TransferHouse {
        var state = TransferHouse.State()
        state.device = Device(id: "device-2", name: "other")
        return try TransferHouse(state)
    }

    @Test("`data export` writes a header, a line for each item, and a last line with the number of lines")
    func format() async throws {
        let (house, path, lines) = try await exported()
        let header = try Self.fields(lines[0])
        #expect(header["screentime"] == "export")
        #expect(header["version"] == 1)
        #expect(header["device"] == ["id": "device-1", "name": "laptop", "model": "mac"])
        let end = try Self.fields(lines[lines.count - 1])
        #expect(end["lines"] == .integer(Int64(lines.count - 1)))
        #expect(end["missing"] == nil)
        var kinds: [String: Int] = [:]
        for line in lines.dropFirst().dropLast() {
            kinds[try Self.fields(line).keys.joined(), default: 0] += 1
        }
        #expect(
            kinds == [
                "device": 1, "member": 2, "category": 1, "list": 2, "rule": 1, "store": 1, "usage": 450,
                "notified": 3, "notification": 1, "request": 1,
            ]
        )
        var about = stat()
        #expect(stat(path, &about) == 0 && about.st_mode & 0o777 == 0o600)
        #expect(!house.now.asked.contains { $0.contains("passcode") || $0.hasPrefix("token.") })
    }

    @Test("An import restores members, rules and usage of an export, and a second import adds no usage")
    func roundTrip() async throws {
        let (full, path, _) = try await exported()
        let house = try Self.empty()
        let first = try await house.run(["data", "import", path])
        let after = house.now
        #expect(first.code == 0, "\(first.output.standard) \(first.output.error)")
        #expect(after.members == full.now.members)
        #expect(after.choices == full.now.choices)
        #expect(after.domains == full.now.domains)
        #expect(after.rules == full.now.rules)
        #expect(after.rows.map(\.segment) == full.now.rows.map(\.segment))
        #expect(after.rows.map(\.device) == full.now.rows.map { $0.device ?? "device-1" })
        #expect(after.devices.map(\.device).sorted() == ["device-1", "phone"])
        #expect(after.notified.map(\.count) == [1, 2, 3])
        #expect(
            first.output.standard.contains(
                "1 settings store of an app: only the apps themselves can set these again"
            )
        )

        let second = try await house.run(["data", "import", path, "--json"])
        #expect(second.code == 0)
        let counts = try #require(try Self.fields(second.output.standard)["counts"])
        #expect(
            counts.member("usage") == ["lines": 450, "added": 0, "duplicates": 450, "left": 0]
        )
        #expect(house.now.rows.count == 450 && house.now.rules.count == 1 && house.now.members.count == 2)
        #expect(house.now.domains["play"]?.count == 3_000)
    }

    @Test(
        "An import with --here or on the exported computer stores its usage as usage of this device",
        arguments: [true, false]
    )
    func here(isSame: Bool) async throws {
        let (_, path, _) = try await exported()
        let house = try isSame ? TransferHouse() : Self.empty()
        let (code, _) = try await house.run(["data", "import", path] + (isSame ? [] : ["--here"]))
        #expect(code == 0)
        #expect(Set(house.now.rows.map(\.device)) == [nil, "phone"])
    }

    @Test("`data import --dry-run` prints what would be added and changes nothing")
    func dryRun() async throws {
        let (_, path, _) = try await exported()
        let house = try Self.empty()
        let (code, output) = try await house.run(["data", "import", path, "--dry-run"])
        #expect(code == 0)
        #expect(output.standard.contains("WOULD BE ADDED"))
        #expect(house.now.rows.isEmpty && house.now.rules.isEmpty && house.now.members.count == 1)
        #expect(house.now.choices.isEmpty && house.now.lists.isEmpty && house.now.notified.isEmpty)
        #expect(!house.now.asked.contains(MemberAdd.name))
        let usage = try Self.fields(
            try await house.run(["data", "import", path, "--dry-run", "--json"]).output.standard
        )
        #expect(usage["counts"]?.member("usage")?.member("added") == 450)
    }

    @Test("An import keeps existing members, rules, lists and categories of the same name and reports them")
    func conflicts() async throws {
        let (_, path, _) = try await exported()
        var state = TransferHouse.State()
        state.members = [Member(name: "kim", role: .guardian), Member(name: "noa", role: .child)]
        state.choices = [CategoryChoice(subject: "firefox", category: "games", isOwn: true)]
        state.lists = [DomainList(name: "play", category: "social", count: 1, addedAt: "")]
        state.rules = [RuleSpec(kind: .limit, name: "chess", member: "kim", durationMs: 1)]
        let house = try TransferHouse(state)
        let (code, output) = try await house.run(["data", "import", path])
        #expect(code == 1)
        for word in [
            "[import.other_role]", "[import.other_category]", "[import.other_list]", "[import.other_rule]",
        ] { #expect(output.standard.contains(word)) }
        #expect(house.now.members == state.members && house.now.rules == state.rules)
        #expect(house.now.lists == state.lists && house.now.choices == state.choices)
        #expect(house.now.rows.count == 450)
    }

    @Test("`data export` reports services that are not running, and an import continues without them")
    func missing() async throws {
        let house = try TransferHouse(TransferHouse.full, services: [.auth, .activity])
        let path = scratch.file("lean.jsonl")
        let (code, output) = try await house.run(["data", "export", path])
        #expect(code == 1)
        #expect(output.error.contains("The data of notifier is not in the file"))
        #expect(ScratchDirectory.text(path).contains(#""missing":["notifier","shield-service"]"#))
        let (_, full, _) = try await exported()
        let alone = try TransferHouse(services: [.auth, .activity])
        let brought = try await alone.run(["data", "import", full])
        #expect(brought.code == 0, "the import needs no service that is not running")
        #expect(alone.now.rows.count == 450 && !alone.now.rules.isEmpty)
        let empty = try TransferHouse(services: [])
        #expect(try await empty.run(["data", "export", empty.scratch.file("x")]).code == 3)
        #expect(access(empty.scratch.file("x"), F_OK) != 0)
    }

    @Test("`data export` does not replace a file, and writes to standard output with -")
    func places() async throws {
        let (house, path, lines) = try await exported()
        let before = ScratchDirectory.text(path)
        let again = try await house.run(["data", "export", path])
        #expect(again.code == 1)
        #expect(again.output.error.contains("never replaces a file"))
        #expect(ScratchDirectory.text(path) == before)
        #expect(try await house.run(["data", "export", house.scratch.path]).code == 1)
        #expect(try await house.run(["data", "export", house.scratch.file("no/such/folder")]).code == 1)
        let piped = try await house.run(["data", "export", "-"])
        #expect(piped.code == 0)
        #expect(piped.output.standard.split(separator: "\n").count == lines.count)
        #expect(piped.output.error.isEmpty)
    }

    @Test("`data export` with --member and --from omits other members, and invalid values are rejected")
    func scopes() async throws {
        let (house, _, _) = try await exported()
        let one = try await house.run(["data", "export", "-", "--member", "noa", "--from", "2026-11-21"])
        let lines = one.output.standard.split(separator: "\n").map(String.init)
        #expect(lines[0].contains(#""member":"noa""#) && lines[0].contains("from_wall_ms"))
        #expect(!one.output.standard.contains(#"{"notified""#))
        #expect(!one.output.standard.contains(#"{"member":{"name":"kim""#))
        for options in [["--from", "soon"], ["--from", "2026-11-21", "--to", "2026-11-20"]] {
            #expect(try await house.run(["data", "export", "-"] + options).code == 2)
        }
        #expect(try await house.run(["data", "export", "-", "--member", "stranger"]).code == 1)
    }
}

extension JSONValue {
    fileprivate func member(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }
}
