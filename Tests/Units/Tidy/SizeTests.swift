import Testing

@Suite("Sizes")
struct SizeTests {
    /// What fits into one head at a time.
    private static let fileLinesMax = 600
    private static let functionLinesMax = 70
    private static let scriptLinesMax = 100

    @Test("a file has at most 600 lines")
    func files() throws {
        let long = try SourceTree.here.swift().filter { $0.lines.count > Self.fileLinesMax }

        #expect(long.map(\.path) == [])
    }

    @Test("a function has at most 70 lines")
    func functions() throws {
        var long: [String] = []
        for file in try SourceTree.here.swift() {
            for function in SwiftFunction.all(file.lines) where function.text.count > Self.functionLinesMax {
                long.append("\(file.path):\(function.line) has \(function.text.count) lines")
            }
        }

        #expect(long == [])
    }

    @Test("the measure of functions finds a long one")
    func measure() {
        let body = (0..<80).map { "        let x\($0) = 1" }
        let lines = (["struct A {", "    func long() {"] + body + ["    }", "}"]).map { Substring($0) }

        #expect(SwiftFunction.all(lines).map(\.text.count) == [82])
    }

    @Test("A script has at most 100 lines and stops at its first error")
    func scripts() throws {
        let scripts = try SourceTree.here.files(["scripts"], ending: ".sh")

        for script in scripts {
            #expect(script.lines.count <= Self.scriptLinesMax, "\(script.path)")
            #expect(script.text.contains("set -euo pipefail"), "\(script.path)")
        }
        #expect(scripts.count >= 5)
    }
}
