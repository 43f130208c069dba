import Testing

@Suite("Forbidden code")
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

    @Test("The product contains no code that can trap")
    func traps() throws {
        #expect(hits(try SourceTree.here.product(), ["try!", "fatalError(", " as! "]) == [])
    }

    @Test("The product contains no sleeps")
    func sleeps() throws {
        #expect(hits(try SourceTree.here.product(), ["usleep(", " sleep(1", "Thread.sleep"]) == [])
    }

    @Test("Rules do not read clocks, start tasks or use random numbers")
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

    @Test("Services do not import Foundation")
    func foundation() throws {
        // Frameworks for apps and the example apps, which run only while a person uses them.
        let others = ["Services/developer-kit/Frameworks/", "Services/developer-kit/examples/"]
        let imports = try SourceTree.here.product().filter { file in
            !others.contains(where: file.path.hasPrefix)
                && file.lines.contains { $0 == "import Foundation" || $0 == "package import Foundation" }
        }.map(\.path)

        #expect(imports == [])
    }

    @Test("The sources contain no markers of unfinished work")
    func unfinished() throws {
        // Concatenated, so that this file does not contain the words.
        let words = ["TO" + "DO", "FIX" + "ME", String(repeating: "X", count: 3), "not impl" + "emented"]
        let found = try SourceTree.here.swift().flatMap { file in
            // Six of them in a row are a template of mkdtemp.
            words.filter { file.text.replacing(String(repeating: "X", count: 6), with: "").contains($0) }.map
            {
                "\(file.path) \($0)"
            }
        }

        #expect(found == [])
    }

    @Test("Each exception from the compiler's concurrency checks has a reason")
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
