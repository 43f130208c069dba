import Testing

@Suite("What may not stand in the sources")
struct ForbiddenTests {
    private func hits(_ files: [SourceTree.File], _ words: [String]) -> [String] {
        var found: [String] = []
        for file in files {
            for (index, line) in file.lines.enumerated() {
                let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
                for word in words where code.contains(word) {
                    found.append("\(file.path):\(index + 1) \(word)")
                }
            }
        }
        return found
    }

    @Test("no input can reach a trap in the product")
    func traps() throws {
        #expect(hits(try SourceTree.here.product(), ["try!", "fatalError(", " as! "]) == [])
    }

    @Test("no code sleeps: it waits for something, with a deadline")
    func sleeps() throws {
        #expect(hits(try SourceTree.here.product(), ["usleep(", " sleep(1", "Thread.sleep"]) == [])
    }

    @Test("rules read no clock, start no tasks and draw no lots")
    func pureCode() throws {
        let rules = try SourceTree.here.files(
            ["Shared/Wire/Domain", "Shared/Runtime/Bus", "Shared/Runtime/Engine"],
            ending: ".swift"
        )
        let cores = try SourceTree.here.cores()

        #expect(
            hits(
                rules + cores,
                [
                    "Date()", "Date.now", "Task.sleep", "Task.detached", "Task {", ".random(in",
                    "clock_gettime",
                ]
            )
                == []
        )
    }

    @Test("services do without Foundation's weight")
    func foundation() throws {
        // What apps are made with, and the apps: processes that live as long as a person uses them.
        let others = ["Services/developer-kit/Frameworks/", "Services/developer-kit/examples/"]
        let imports = try SourceTree.here.product().filter { file in
            !others.contains(where: file.path.hasPrefix)
                && file.lines.contains { $0 == "import Foundation" || $0 == "package import Foundation" }
        }.map(\.path)

        #expect(imports == [])
    }

    @Test("nothing is left unfinished")
    func unfinished() throws {
        // Put together, so that this file does not find itself.
        let words = ["TO" + "DO", "FIX" + "ME", String(repeating: "X", count: 3), "not impl" + "emented"]
        let found = try SourceTree.here.swift().flatMap { file in
            // Six of them in a row are mkdtemp's.
            words.filter { file.text.replacing(String(repeating: "X", count: 6), with: "").contains($0) }.map
            {
                "\(file.path) \($0)"
            }
        }

        #expect(found == [])
    }

    @Test("what goes round the compiler's checks says why")
    func unchecked() throws {
        var silent: [String] = []
        for file in try SourceTree.here.product() {
            let lines = file.lines
            for (index, line) in lines.enumerated() {
                guard line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") else {
                    continue
                }
                let around = lines[max(0, index - 3)...min(lines.count - 1, index + 3)]
                if !around.contains(where: {
                    $0.contains("// @unchecked") || $0.contains("unsafe:") || $0.contains("guard")
                }) {
                    silent.append("\(file.path):\(index + 1)")
                }
            }
        }

        #expect(silent == [])
    }
}
