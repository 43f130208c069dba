import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("Wrong commands at a running system", .serialized)
struct WrongCommandTests {
    /// One command in each line.
    private static let lines = """
        limit
        limit add
        limit add firefox
        limit add firefox 30x
        limit add firefox 0m
        limit add firefox -5m
        limit add firefox 30h
        limit add firefox 30m --on noday
        limit add firefox 30m --then explode
        limit add firefox 30m --member nokid
        limit add category:nonsense 1h
        limit add site:not_a_domain! 1h
        limit add 30m
        limit edit nothing 10m
        limit edit games
        limit ad firefox 30m
        limit firefox 30m
        block firefox
        downtime add 21:30
        downtime add 25:00-07:00
        downtime add 21:30-21:30
        window add firefox 17:00
        window add 17:00-20:00
        goal add code 2h
        goal add code --opens category:games
        allow add
        rule remove nothing
        rule remove gamez
        rule pause nothing --for 1h
        rule pause games --for ever
        rule delay soon
        rule frobnicate
        focus
        focus soon
        focus 50m --only everything
        focus 90h --only code
        stop nokid now
        stop kid --for never
        grant nokid 30m
        grant 30m
        request add
        request add firefox
        request add firefox 15m --because
        request approve R99
        request deny 1
        member add
        member add kid
        member add mum --role king
        member remove nokid
        member set nokid --role child
        member set kid --role
        member passcode nokid
        member account nokid nobody
        app install /nonexistent
        app show noapp
        app access noapp on
        app retry D999
        app log noapp
        category set firefox nonsense:cat
        store show nothing/at/all
        store clear nothing/x
        shield preview
        report --segment fortnight
        report --from tomorrow --to yesterday
        report --top many
        report --png /nonexistent/dir/a.png
        report --context nothing
        why
        why firefox --at sometime
        data forget
        data forget --from 2026-01-01
        data import /nonexistent
        data backup
        data export
        bus call no.route {}
        bus call usage.list {notjson
        bus call usage.list {} --to nobody
        simulate /nonexistent.json
        trace --service nobody
        notification show 99999
        pick --from /nonexistent
        frobnicate
        status --frob
        --frob
        thaw nothing
        history --since sometime
        setup --for whom
        system frob
        """

    /// Returns everything that a command could change.
    private static func state(_ system: CommandSystem) throws -> String {
        let lists = [
            ["member", "list"], ["rule", "list"], ["allow", "list"], ["request", "list"], ["app", "list"],
            ["category", "list"], ["store", "list"], ["notification", "list"], ["history"],
        ]
        return try lists.map { try output(system, $0 + ["--json"]).text }.joined(separator: "\n")
    }

    private static func output(_ system: CommandSystem, _ words: [String]) throws -> (
        code: Int32?, text: String
    ) {
        let ran = try system.run(words)
        guard case .exited(let code) = ran.status else { return (nil, ran.output) }
        return (code, ran.output)
    }

    @Test(
        "Wrong commands change nothing, exit with codes 1 to 4, and end with a suggestion that parses"
    )
    func wrong() throws {
        let system = try CommandSystem()
        #expect(try system.run("system", "up", "--detach").status == .exited(0))
        for line in ["member add kid --role child", "limit add category:games 1h --name games --member kid"] {
            #expect(try Self.output(system, line.split(separator: " ").map(String.init)).code == 0)
        }
        let before = try Self.state(system)
        let lines = Self.lines.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.count >= 60)
        for words in lines {
            let line = words.joined(separator: " ")
            let said = try Self.output(system, words)
            #expect(said.code.map { (1...4).contains($0) } == true, "\(line): \(said)")
            let advice = said.text.split(separator: "\n").last.map(String.init) ?? ""
            #expect(advice.hasPrefix("  try: "), "\(line): \(said.text)")
            guard advice.hasPrefix("  try: screentime ") else { continue }
            let advised = Array(String(advice.dropFirst(7)).shellWords.dropFirst())
            #expect(throws: Never.self, "\(line): \(advice)") { try CommandLineParser.parse(advised) }
        }
        #expect(try Self.state(system) == before)
        #expect(try system.run("system", "down").status == .exited(0))
    }
}
