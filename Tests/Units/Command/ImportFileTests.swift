import Glibc
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore
@testable import STCommandImport

@Suite("A file that is brought in")
struct ImportFileTests {
    @Test("An import file that is truncated while it is read is reported as changed")
    func cut() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let path = scratch.file("export.jsonl")
        let filler = String(repeating: "x", count: 100)
        let count = 3_000
        var lines = [
            #"{"screentime":"export","version":1,"exported_at":"2026-11-20T10:00:00.000Z","device":{"id":"d","name":"n","model":"mac"}}"#
        ]
        for _ in 0..<count { lines.append(#"{"usage":{"app":"\#(filler)"}}"#) }
        lines.append(#"{"end":"2026-11-20T10:00:00.000Z","lines":\#(count + 1)}"#)
        let text = Array((lines.joined(separator: "\n") + "\n").utf8)
        try AtomicFile.write(text, to: path)

        let whole = try ImportFile(path)
        var read = 0
        while try whole.next() != nil { read += 1 }
        #expect(read == count)

        let file = try ImportFile(path)
        // At the end of a line, so that what is left looks like a file of its own.
        let lineBytes = lines[1].utf8.count + 1
        truncate(path, off_t(lines[0].utf8.count + 1 + lineBytes * 2_000))
        let problem = #expect(throws: Problem.self) { while try file.next() != nil {} }
        #expect(problem?.code == "import.changed")
    }
}
