import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite("Rules from the files of a folder")
struct RuleFolderTests {
    private func lines(_ text: String) throws -> [RuleFolder.Line] {
        try RuleFolder.lines(text, "anna.rules")
    }

    @Test("A line of a rule file has a name and words, keeps quoted spaces and ignores comments")
    func reading() throws {
        let text = """
            # All
            games: limit category:games 1h --say 'You "promised" #1' # not more

            evening:	downtime 21:00-07:00 --name=a"b c"d ''
            """
        let found = try lines(text)
        #expect(found.map(\.name) == ["games", "evening"])
        #expect(found.map(\.number) == [2, 4])
        #expect(
            found[0].words == ["limit", "category:games", "1h", "--say", "You \"promised\" #1"]
        )
        #expect(found[1].words == ["downtime", "21:00-07:00", "--name=ab cd", ""])
        #expect(try lines("# a\r\nb: limit steam 1h\r\nc: allow gimp\r\n").map(\.name) == ["b", "c"])
    }

    @Test(
        "An invalid rule file is rejected with its name, a line number and the reason",
        arguments: [
            ("limit steam 1h", "The line must begin with a name and a colon, followed by a rule."),
            (":", "a name and a colon"),
            ("a:", "a name and a colon"), ("a: limit 'steam 1h", "A quote is not closed."),
            ("# no more", "The file contains no rule."),
            ("a: limit steam 1h\na: limit steam 2h", "line 2: The name a is used twice"),
        ]
    )
    func bad(text: String, says: String) throws {
        let problem = #expect(throws: Problem.self) { try lines(text) }
        #expect(problem?.code == "rule.bad_line")
        #expect(
            problem?.message.contains(says) == true && problem?.message.hasPrefix("anna.rules, line") == true
        )
    }

    @Test("Random text in a rule file is parsed or rejected as a bad line", arguments: UInt64(1)...40)
    func wild(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "a:", " ", "'", "\"", "#", "\n", "limit", "1h", ":", "--member", "é", "\u{0}", "\\", "\r",
        ]
        for _ in 0..<200 {
            let text = (0..<random.number(0...12)).map { _ in pieces[Int(random.number(0...13))] }.joined()
            do {
                let found = try lines(text)
                #expect(Set(found.map(\.name)).count == found.count)
                #expect(found.allSatisfy { !$0.name.isEmpty && !$0.words.isEmpty })
            } catch let problem as Problem { #expect(problem.code == "rule.bad_line", "\(text)") }
        }
    }

    @Test("A rule in a group file applies to its members, unless a member's file has a rule of that name")
    func people() throws {
        let household = [
            Member(name: "anna", role: .child, account: "an"),
            Member(name: "ben", role: .child, account: "be"),
            Member(name: "mum", role: .guardian), Member(name: "1", role: .child, account: "one"),
        ]
        let files = try [
            "@5b": lines("games: limit steam 1h\nnight: downtime 21:00-07:00"),
            "@none": lines("x: limit steam 1h"), "anna": lines("games: limit steam 2h"),
            "zoe": lines("x: limit steam 1h"), "1": lines("games: limit steam 3h"),
        ]
        let (found, skipped) = RuleFolder.people(files, household) {
            $0 == "5b" ? ["an", "be", "one", "root"] : nil
        }
        #expect(found.keys.sorted() == ["1", "anna", "ben"])
        #expect(found["anna"]?.first { $0.name == "games" }?.words.last == "2h")
        #expect(found["1"]?.first { $0.name == "games" }?.words.last == "3h")
        #expect(found["ben"]?.first { $0.name == "games" }?.words.last == "1h")
        #expect(found.values.allSatisfy { $0.count == 2 })
        #expect(skipped == ["@none.rules", "zoe.rules"])
    }
}
