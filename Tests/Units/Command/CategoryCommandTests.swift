import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("Categories on the command line")
struct CategoryCommandTests {
    private final class Asked: Sendable {
        let adds = Mutex<[CategoryListAdd.Request]>([])
    }

    private func run(_ line: [String], file: String? = nil, asked: Asked = Asked()) async throws -> (
        ExitCode, CommandOutput
    ) {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        var line = line
        if let file {
            let path = scratch.file("sites.txt")
            try AtomicFile.write(Array(file.utf8), to: path, durable: false)
            line = line.map { $0 == "FILE" ? path : $0 }
        }
        let service = try FakeService(.activity) { route, body in
            try Self.answer(route, body: body, asked: asked)
        }
        try await service.start(Directories(run: scratch.path, state: scratch.path, config: scratch.path))
        let result = await CommandOutput.run(line, in: scratch.path)
        await service.stop()
        return result
    }

    private static func answer(_ route: String, body: [UInt8], asked: Asked) throws -> [UInt8] {
        func list(_ name: String, _ category: String, _ count: Int) -> DomainList {
            DomainList(
                name: name,
                category: category,
                count: Int64(count),
                addedAt: "2026-11-20T12:00:00.000Z"
            )
        }
        switch route {
        case CategoryListAdd.name:
            let request = try CategoryListAdd.Request.decodedBody(body)
            let count = asked.adds.withLock { adds in
                adds.append(request)
                return adds.reduce(0) { $0 + $1.domains.count }
            }
            return try list(request.name, request.category, count).encodedBody()
        case CategoryListRemove.name:
            return try list(CategoryListRemove.Request.decodedBody(body).name, "games", 2).encodedBody()
        case CategoryList.name:
            return try CategoryList.Reply(
                categories: ["social", "games"],
                choices: [],
                lists: [list("mine", "games", 2)]
            ).encodedBody()
        case CategoryFacts.name:
            let subject = try CategoryFacts.Request.decodedBody(body).subjects?.first ?? ""
            var facts = SubjectFacts(subject: subject, category: "social", source: .list, names: [:])
            if subject == "pad" {
                facts.source = .desktop
                facts.name = "Pad"
                facts.names = ["ko": "패드"]
            }
            if subject == "site:a.com" { facts.list = "mine" }
            return try CategoryFacts.Reply(facts: [facts]).encodedBody()
        default: throw Problem("route.not_found", verbatim: route)
        }
    }

    @Test("`category add` reads hosts files and plain lists, and reports duplicates and invalid lines")
    func add() async throws {
        let asked = Asked()
        let file = """
            # A block list
            127.0.0.1 localhost
            ::1 ip6-localhost ip6-loopback
            0.0.0.0 Ads.Example.com tracker.example.com # both
            reddit.com\r
            한국.com
            https://bad.example/path

            *.bad.example
            reddit.com.
            """
        let (code, output) = try await run(
            ["category", "add", "mine", "--from", "FILE", "--to", "games"],
            file: file,
            asked: asked
        )

        #expect(code == .done)
        #expect(
            asked.adds.withLock { $0.map(\.domains) } == [
                ["ads.example.com", "tracker.example.com", "reddit.com", "xn--3e0b707e.com"]
            ]
        )
        #expect(
            output.standard.split(separator: "\n") == [
                "Added mine: 4 sites count as games from now on.", "Duplicates in the file: 1.",
                """
                Note: line 7 (“https://bad.example/path”) and 1 more line were skipped because they are \
                not valid sites.
                """,
            ]
        )
    }

    @Test("A long site list is sent in several requests, and only the first one replaces the existing list")
    func chunks() async throws {
        let asked = Asked()
        let sites = (0..<20_000).map { "site-number-\($0).example.org" }
        let (code, _) = try await run(
            ["category", "add", "mine", "--from", "FILE", "--to", "games", "--json"],
            file: sites.joined(separator: "\n"),
            asked: asked
        )
        let adds = asked.adds.withLock { $0 }

        #expect(code == .done)
        #expect(adds.count > 1 && adds.flatMap(\.domains) == sites)
        #expect(adds.map(\.append) == [nil] + Array(repeating: true, count: adds.count - 1))
        for add in adds { #expect(try add.encodedBody().count <= BusLimits.requestBodyBytes) }
    }

    @Test(
        "`category add` rejects a missing file and a file without valid sites, and sends no sites",
        arguments: [
            (["category", "add", "mine", "--to", "games"], nil, "category add mine --from"),
            (
                ["category", "add", "mine", "--from", "FILE", "--to", "games"], "# nothing\n",
                "contains no sites"
            ),
            (["category", "add", "mine", "--from", "FILE", "--to", "games"], "*.a.com\n", "Line 1 is"),
            (
                ["category", "add", "mine", "--from", "/nowhere/at/all", "--to", "games"], nil,
                "/nowhere/at/all"
            ),
        ] as [([String], String?, String)]
    )
    func refused(line: [String], file: String?, says: String) async throws {
        let asked = Asked()
        let (code, output) = try await run(line, file: file, asked: asked)

        #expect(code != .done)
        #expect(output.error.contains(says))
        #expect(asked.adds.withLock { $0.isEmpty })
    }

    @Test("`category add` rejects a list with too many sites before sending it")
    func tooMany() async throws {
        let asked = Asked()
        let file = (0..<50_001).map { "s\($0).com" }.joined(separator: "\n")
        let line = ["category", "add", "mine", "--from", "FILE", "--to", "games"]
        let (code, output) = try await run(line, file: file, asked: asked)

        #expect(code != .done && output.error.contains("50001 sites"))
        #expect(asked.adds.withLock { $0.isEmpty })
    }

    @Test("`category show` prints a category, the reason for it and the names of the app")
    func show() async throws {
        let pad = try await run(["category", "show", "pad"]).1.standard
        let site = try await run(["category", "show", "site:a.com"]).1.standard
        let firefox = try await run(["category", "show", "firefox"]).1.standard

        #expect(
            pad.split(separator: "\n") == [
                "Pad: social", "  Because its desktop entry says so.", "  Name: Pad, 패드 (ko)",
            ]
        )
        #expect(site.contains("Because your list mine includes it."))
        #expect(firefox.contains("Because the list that comes with this program includes it."))
    }

    @Test("`category list` shows the site lists, and `category remove` removes one")
    func listed() async throws {
        let list = try await run(["category", "list"]).1.standard
        let removed = try await run(["category", "remove", "mine"]).1.standard

        #expect(list.contains("LIST") && list.contains("mine"))
        #expect(removed.hasPrefix("Removed mine (sites: 2). Its sites now belong"))
    }
}
