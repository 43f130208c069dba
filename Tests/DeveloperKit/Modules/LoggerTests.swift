import STPlatform
import STTestSupport
import Testing

@testable import os

@Suite("Log messages")
struct LoggerTests {
    private func lines(_ write: (LogOutput) -> Void) throws -> [String] {
        let pipe = try DescriptorPipe()
        write(LogOutput(descriptor: pipe.writeEnd.number, isJSON: true))
        return read(pipe)
    }

    private func read(_ pipe: DescriptorPipe) -> [String] {
        Program.read(pipe).split(separator: "\n").map(String.init)
    }

    @Test("Values in a log message are shown or hidden according to their privacy")
    func privacy() {
        let name = "the child"
        func text(_ message: OSLogMessage) -> String { message.text }

        #expect(text("for \(name)") == "for <private>")
        #expect(text("for \(name, privacy: .public)") == "for the child")
        #expect(text("\(3) of \(2.5, format: .fixed(precision: 1)), \(true)") == "3 of 2.5, true")
        #expect(text("\(3, privacy: .private)") == "<private>")
        #expect(text("\(255, format: .hex)|\(7, align: .right(columns: 3))") == "ff|  7")
        #expect(text("\([1, 2], privacy: .public) \(["a"])") == "[1, 2] <private>")
        #expect(
            text("\(name, privacy: .private(mask: .hash))") == text("\(name, privacy: .private(mask: .hash))")
        )
        #expect(text("\(name, privacy: .private(mask: .hash))").hasPrefix("<mask.hash: '"))
    }

    @Test("A log message to the host is one line of JSON")
    func json() throws {
        let written = try lines { output in
            output.write(level: "error", subsystem: "a.b", category: "c", "two\nlines and \"quotes\"")
        }

        #expect(
            written == [
                #"{"level":"error","subsystem":"a.b","category":"c","text":"two\nlines and \"quotes\""}"#
            ]
        )
    }

    @Test("A long log message is cut to the reader's limit")
    func long() throws {
        for text in [String(repeating: "é", count: 40_000), String(repeating: "\u{1}", count: 40_000)] {
            let written = try lines { $0.write(level: "info", subsystem: "", category: "", text) }

            #expect(written.count == 1)
            #expect((written.first?.utf8.count ?? 0) <= LogOutput.lineBytesMax)
            #expect(written.first?.hasSuffix("}") == true)
        }
    }

    @Test("Without a host, log messages are written as text to standard error")
    func standardError() throws {
        let program = Program.probe
        let pipe = try DescriptorPipe()
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: program,
                arguments: ["log"],
                environment: Program.environment.merging(["SCREENTIME_LOG_FD": "77"]) { $1 },
                standardError: pipe.writeEnd.number
            )
        )
        #expect(process.wait(deadlineMs: 20_000) == .exited(0))

        #expect(
            read(pipe) == [
                "info [sample:dotted] 3 for the child", "error [sample:old] the child has 3", "notice plain",
                "notice by OSLog", "debug [sample:os] by os",
            ]
        )
    }

    @Test("With a host, every logging function writes to the host's descriptor")
    func host() throws {
        let pipe = try DescriptorPipe()
        let process = try SpawnedProcess(
            SpawnPlan(
                executable: Program.probe,
                arguments: ["log"],
                environment: Program.environment.merging(["SCREENTIME_LOG_FD": "3"]) { $1 },
                descriptors: [3: pipe.writeEnd.number]
            )
        )
        #expect(process.wait(deadlineMs: 20_000) == .exited(0))

        let written = read(pipe)
        #expect(written.count == 5)
        #expect(
            written.first
                == #"{"level":"info","subsystem":"sample","category":"dotted","text":"3 for the child"}"#
        )
    }

    @Test("An os_log format without enough values shows the missing ones as missing")
    func percent() {
        #expect(PercentFormat.text("%d%% of %{public}@, %@", [7, "all"]) == "7% of all, <missing>")
        #expect(
            PercentFormat.text("%.2f %x %5d %lld %{private}d", [1.5, 255, 3, 4, 5]) == "1.50 ff 3 4 <private>"
        )
        #expect(PercentFormat.text("100% ", []) == "100% ")
        #expect(PercentFormat.text("%{public", []) == "%{public")
    }
}
