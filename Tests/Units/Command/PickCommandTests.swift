import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Testing

@Suite("pick without a terminal")
struct PickCommandTests {
    private func run(_ line: String..., services: Bool = true) async throws -> (
        ExitCode, CommandOutput, PickHouse
    ) {
        let house = try PickHouse()
        if services { try await house.start() }
        let (code, output) = await house.run(["pick"] + line)
        await house.stop()
        return (code, output, house)
    }

    @Test("`pick --list` shows the apps of all pages, and `pick --search` shows the matches")
    func listing() async throws {
        let (code, all, _) = try await run("--list")
        #expect(code == .done && all.error.isEmpty)
        #expect(all.standard.contains("Games · 2\n  Minetest  minetest\n  Patience  org.kde.kpat"))
        let (_, found, house) = try await run("--search", "ㅈㄷ", "--json", "--language", "ko")
        let list = try JSONOutput.value(Array(found.standard.utf8))
        #expect(list["apps"]?.arrayCount == 1)
        #expect(try house.last(DesktopCatalogue.self)?.language == "ko")
        let (site, _, _) = try await run("--search", "reddit.com")
        #expect(site == .done)
        let (none, nothing, _) = try await run("--search", "zzz")
        #expect(none == .no && nothing.error.contains("Nothing matches “zzz”."))
    }

    @Test("`pick --list` without desktop-agent reports that the list is incomplete")
    func alone() async throws {
        let (_, output, _) = try await run("--list", "--json", services: false)
        #expect(
            output.standard.contains("desktop-agent is not running. The list therefore has only the apps")
        )
    }

    @Test("`pick` saves the given names, and --from with more names extends a saved selection")
    func named() async throws {
        let (code, output, house) = try await run(
            "firefox",
            "category:social",
            "site:Reddit.com",
            "--output",
            "/dev/null/x"
        )
        #expect(code == .no && output.error.contains("/dev/null/x"))
        let path = house.scratch.file("a.json")
        let (saved, told) = await house.run([
            "pick", "firefox", "category:social", "site:reddit.com", "--output", path,
        ])
        #expect(saved == .done && told.standard == "Saved in \(path): 1 app, 1 category, 1 site.\n")
        let file = try PickFile.read(path)
        #expect(file.untokenizedApplicationIdentifiers == ["firefox"] && file.tokens.isEmpty)
        #expect(file.untokenizedCategoryIdentifiers == ["social"] && file.includeEntireCategory == false)
        let (_, more) = await house.run(["pick", "gimp", "--from", path, "--entire-categories"])
        #expect(more.standard.contains("\"untokenizedApplicationIdentifiers\": [\"firefox\", \"gimp\"]"))
        #expect(more.standard.contains("\"includeEntireCategory\": true"))
    }

    @Test("`pick --app` saves tokens, and converting them back to names requires --app")
    func tokens() async throws {
        let house = try PickHouse()
        try await house.start()
        let path = house.scratch.file("a.json")
        let (code, _) = await house.run([
            "pick", "firefox", "site:a.org", "--app", "promise", "--member", "kid", "--output", path,
        ])
        #expect(code == .done)
        let request = try #require(try house.last(TokenIssue.self))
        #expect(request.app == "promise" && request.member == "kid" && request.items.count == 2)
        let file = try PickFile.read(path)
        #expect(file.applicationTokens?.map(\.data) == ["application/firefox"])
        #expect(file.webDomainTokens?.map(\.data) == ["domain/a.org"] && file.names.isEmpty)

        let (refused, why) = await house.run(["pick", "gimp", "--from", path])
        #expect(refused == .no && why.error.contains("Name the app with --app"))
        let (_, names) = await house.run(["pick", "gimp", "--from", path, "--app", "promise", "--names"])
        #expect(names.standard.contains("\"untokenizedApplicationIdentifiers\": [\"firefox\", \"gimp\"]"))
        #expect(names.standard.contains("\"untokenizedWebDomainIdentifiers\": [\"a.org\"]"))
        await house.stop()
    }

    @Test(
        "An invalid selection file is rejected with the invalid field, if there is one",
        arguments: [
            ("", ""), ("[]", ""), ("{", ""), ("{\"applicationTokens\": 3}", "applicationTokens"),
            ("{\"applicationTokens\": [{\"data\": \"\"}]}", "/applicationTokens/0"),
            (
                "{\"untokenizedWebDomainIdentifiers\": [\"a.org\", \"a b\"]}",
                "/untokenizedWebDomainIdentifiers/1"
            ),
            (
                "{\"untokenizedApplicationIdentifiers\": [\"\\u001b[2J\"]}",
                "/untokenizedApplicationIdentifiers/0"
            ),
        ]
    )
    func broken(text: String, place: String) async throws {
        let house = try PickHouse()
        try house.scratch.write(text, to: "bad.json")
        let (code, output) = await house.run([
            "pick", "firefox", "--from", house.scratch.file("bad.json"), "--json",
        ])
        #expect(code == .no)
        #expect(output.standard.contains("selection.broken") || output.error.contains("selection.broken"))
        #expect((output.standard + output.error).contains(place))
    }

    @Test("A selection file that is missing, too large or has too many entries is rejected")
    func badFiles() async throws {
        let house = try PickHouse()
        let (missing, _) = await house.run(["pick", "a", "--from", house.scratch.file("none.json")])
        #expect(missing == .no)
        try house.scratch.write(String(repeating: " ", count: 2 << 20), to: "huge.json")
        let (huge, told) = await house.run(["pick", "a", "--from", house.scratch.file("huge.json")])
        #expect(huge == .no && told.error.contains("larger than"))
        let many = (0...PickFile.itemsMax).map { "\"a\($0)\"" }.joined(separator: ",")
        try house.scratch.write("{\"untokenizedApplicationIdentifiers\": [\(many)]}", to: "many.json")
        #expect(throws: Problem.self) { try PickFile.read(house.scratch.file("many.json")) }
    }

    @Test(
        "Invalid arguments of `pick` are rejected with an explanation",
        arguments: [
            (["--names"], "--app"), (["--list", "--app", "x"], "--app cannot be combined with"),
            (["firefox", "--list"], "Leave out the"),
            (["everything"], "a limit can"), (["category:quux"], "no category"),
            (["site:*.a.org"], "Leave out the star"),
            ([], "needs a terminal"), (["--from"], "needs a value"),
            (["--language", "?"], "code such as ko"),
        ]
    )
    func refused(line: [String], what: String) async throws {
        let house = try PickHouse()
        try await house.start()
        let (code, output) = await house.run(["pick"] + line)
        await house.stop()
        #expect(code != .done && output.error.contains(what), "\(output.error)")
    }

    // MARK: - In rules

    @Test("A rule accepts a selection of names with or without typed apps, and rejects tokens")
    func rules() async throws {
        let house = try PickHouse()
        try await house.start()
        let path = house.scratch.file("a.json")
        _ = await house.run(["pick", "minetest", "category:games", "--output", path])
        let (code, output) = await house.run(["limit", "add", "firefox", "30m", "--selection", path])
        #expect(code == .done, "\(output.error)")
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["firefox-esr", "minetest", "games"])
        let (alone, _) = await house.run(["limit", "add", "30m", "--selection", path])
        #expect(alone == .done)
        #expect(try house.last(RuleAdd.self)?.rule.targets.map(\.id) == ["minetest", "games"])

        for (line, what) in [
            (["limit", "add", "30m"], "SUBJECT is missing"), (["allow", "add"], "SUBJECT is missing"),
            (["limit", "add", "everything", "30m", "--selection", path], "cannot be combined"),
        ] {
            let (code, output) = await house.run(line)
            #expect(code == .usage && output.error.contains(what), "\(line): \(output.error)")
        }
        try house.scratch.write("{}", to: "empty.json")
        let (empty, why) = await house.run([
            "limit", "add", "30m", "--selection", house.scratch.file("empty.json"),
        ])
        #expect(empty == .no && why.error.contains("empty.json is empty."))
        try house.scratch.write("{\"applicationTokens\": [{\"data\": \"eA==\"}]}", to: "tokens.json")
        let (tokens, told) = await house.run([
            "limit", "add", "30m", "--selection", house.scratch.file("tokens.json"),
        ])
        #expect(tokens == .no && told.error.contains("A rule needs the names"))
        await house.stop()
    }
}

extension JSONValue {
    fileprivate subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { return members[key] }
        return nil
    }

    fileprivate var arrayCount: Int? {
        if case .array(let all) = self { return all.count }
        return nil
    }
}
