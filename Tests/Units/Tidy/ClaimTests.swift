import Testing

@Suite("Expectations in tests")
struct ClaimTests {
    private static let claims = ["#expect", "#require", "Issue.record", "confirmation("]

    /// The tests of a file without an expectation, in themselves or in a function of the file that they call.
    private static func silent(_ lines: [Substring]) -> [SwiftFunction] {
        let functions = SwiftFunction.all(lines)
        func claims(_ function: SwiftFunction) -> Bool {
            function.text.contains { line in Self.claims.contains { line.contains($0) } }
        }
        var claiming = Set(functions.filter { !$0.isTest && claims($0) }.map(\.name))
        while true {
            let more = functions.filter { function in
                !function.isTest && !claiming.contains(function.name)
                    && !function.calls.isDisjoint(with: claiming)
            }
            if more.isEmpty { break }
            claiming.formUnion(more.map(\.name))
        }
        return functions.filter { $0.isTest && !claims($0) && $0.calls.isDisjoint(with: claiming) }
    }

    @Test("Every test has an expectation, directly or in a function of its file that it calls")
    func claims() throws {
        var silent: [String] = []
        var tests = 0
        for file in try SourceTree.here.files(["Tests"], ending: ".swift") {
            // Samples of apps, and the examples of this test.
            if file.path.hasPrefix("Tests/DeveloperKit/Samples/") || file.path.hasSuffix("/ClaimTests.swift")
            {
                continue
            }
            tests += SwiftFunction.all(file.lines).count(where: \.isTest)
            silent += Self.silent(file.lines).map { "\(file.path):\($0.line) \($0.name)" }
        }

        #expect(silent == [])
        #expect(tests > 2_000)
    }

    @Test("The table of desktops lists exactly the tests that run on every desktop, and no failures")
    func desks() throws {
        let table = try SourceTree.here.text("Tests/Desktops/DESKS.md")
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
            String(row.split(separator: "|")[0].dropFirst().dropLast())
        }
        let sources = try SourceTree.here.files(["Tests/Desktops/System"], ending: ".swift").map(\.text)
        let titles = sources.flatMap { text in
            text.matches(of: /@Test\(\s*"([^"\n]+)",\s*arguments: DeskKind/).map { String($0.output.1) }
        }
        #expect(Set(rows) == Set(titles))
        #expect(titles.count > 35)
        // The README states this.
        #expect(!table.contains("**no**"))
    }

    @Test("The search finds a test without an expectation, and follows the functions that a test calls")
    func search() {
        let text = """
            struct A {
                @Test("none")
                func none() throws { try helped() }

                @Test(
                    "one",
                    arguments: [1]
                )
                func one(_ n: Int) async throws {
                    try await helps { _ in }
                }

                private func helps(_ body: () -> Void) { holds() }

                private func holds() {
                    #expect(true)
                }

                private func helped() {}
            }
            """
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)

        #expect(SwiftFunction.all(lines).filter(\.isTest).map(\.name) == ["none", "one"])
        #expect(Self.silent(lines).map(\.name) == ["none"])
    }
}
