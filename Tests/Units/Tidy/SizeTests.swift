import Testing

@Suite("Sizes")
struct SizeTests {
    /// Limits that keep code easy to read.
    private static let fileLinesMax = 600
    private static let functionLinesMax = 70
    private static let scriptLinesMax = 100
    private static let typeFilesMax = 3

    @Test("A file has at most 600 lines")
    func files() throws {
        let long = try SourceTree.here.swift().filter { $0.lines.count > Self.fileLinesMax }

        #expect(long.map(\.path) == [])
    }

    @Test("A function has at most 70 lines")
    func functions() throws {
        var long: [String] = []
        for file in try SourceTree.here.swift() {
            for function in SwiftFunction.all(file.lines) where function.text.count > Self.functionLinesMax {
                long.append("\(file.path):\(function.line) has \(function.text.count) lines")
            }
        }

        #expect(long == [])
    }

    @Test("The measure of functions finds a long one")
    func measure() {
        let body = (0..<80).map { "        let x\($0) = 1" }
        let lines = (["struct A {", "    func long() {"] + body + ["    }", "}"]).map { Substring($0) }

        #expect(SwiftFunction.all(lines).map(\.text.count) == [82])
    }

    @Test("A type with its extensions is in at most three files")
    func types() throws {
        let graph = TargetGraph(manifest: try SourceTree.here.text("Package.swift"))
        // Apple's API decides the structure of the frameworks.
        let files = try SourceTree.here.product().filter {
            !$0.path.hasPrefix("Services/developer-kit/Frameworks/")
        }
        let types = SwiftType.all(files) { path in graph.target(of: path) ?? path }

        #expect(types.count > 1_000)
        #expect(types.filter { $0.files.count > Self.typeFilesMax }.map(\.text) == [])
    }

    @Test("The measure of types adds up extensions and distinguishes types with equal names")
    func typeMeasure() {
        func file(_ path: String, _ text: String) -> SourceTree.File { .init(path: path, text: text) }
        let files = [
            file(
                "one/A.swift",
                "import B\n\n@MainActor\npackage final class A {\n    struct Inner {}\n}\n\nextension A.Inner {}"
            ),
            file("one/B.swift", "extension A: Error {\n}\n\nprivate func free() {\n}\n\nstruct B<T> {}"),
            file("two/C.swift", "extension A {}\nindirect enum B: Error {\n}"),
            file("two/D.swift", "extension String {\n}\nextension B {}"),
        ]
        let types = SwiftType.all(files) { String($0.prefix(3)) }

        #expect(
            types.map(\.text) == [
                "one A: 8 lines in one/A.swift one/B.swift two/C.swift", "one B: 1 lines in one/B.swift",
                "two B: 3 lines in two/C.swift two/D.swift",
            ]
        )
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
