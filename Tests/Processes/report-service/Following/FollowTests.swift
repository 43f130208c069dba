import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import Testing

extension ReportSuite {
    @Suite("Followed reports", .timeLimit(.minutes(5)))
    struct FollowTests {
        private static let services: [ServiceName] = [.auth, .activity, .report]

        @Test(
            "A followed report shows new usage within seconds, a flood once a second, and exits with 0 on Ctrl-C"
        )
        func live() async throws {
            try await TestSystem.run(services: Self.services) { system in
                var desk = FollowDesk(system)
                let (process, output) = try desk.start(["report", "--follow", "--json"])
                try await eventually("the first report") {
                    guard !FollowDesk.lines(output).isEmpty else { throw NotYet("nothing yet") }
                }

                try await desk.use("first.app")
                try await desk.use("second.app")
                let toldMs = Stopwatch.milliseconds()
                try await eventually("the used app is in the report") {
                    guard FollowDesk.lines(output).last?.contains("first.app") == true else {
                        throw NotYet("\(FollowDesk.lines(output).last ?? "")")
                    }
                }
                // A second, plus the delay of a busy machine.
                #expect(Stopwatch.milliseconds() - toldMs < 15_000)

                let before = FollowDesk.lines(output).count
                let startMs = Stopwatch.milliseconds()
                for number in 0..<200 { try await desk.use("app\(number % 7)") }
                try await eventually("the last app is in the report") {
                    guard FollowDesk.lines(output).last?.contains("app6") == true else {
                        throw NotYet("not yet")
                    }
                }
                let written = FollowDesk.lines(output).count - before
                let seconds = (Stopwatch.milliseconds() - startMs) / 1_000
                #expect(written <= Int(seconds) + 2)

                #expect(process.signal(SIGINT))
                #expect(process.wait(deadlineMs: 10_000) == .exited(0))
            }
        }

        @Test("The page of a followed report is rewritten as usage grows, and is always complete")
        func growing() async throws {
            try await TestSystem.run(services: Self.services) { system in
                var desk = FollowDesk(system)
                try await desk.use("only.app")
                let page = system.scratch.file("page.html")
                let (process, output) = try desk.start([
                    "report", "--follow", "--html", page, "--language", "en",
                ])
                var seen: Set<String> = []
                var turns = 0
                try await eventually("three pages that differ") {
                    let text = ScratchDirectory.text(page)
                    if !text.isEmpty {
                        #expect(text.hasSuffix("</html>\n") || text.hasSuffix("</html>"))
                        seen.insert(text)
                    }
                    turns += 1
                    try await desk.use(turns.isMultiple(of: 2) ? "only.app" : "other.app")
                    guard seen.count >= 3 else {
                        throw NotYet("\(seen.count) pages; \(ScratchDirectory.text(output))")
                    }
                }
                #expect(seen.contains { $0.contains("only.app") || $0.contains("App") })
                #expect(process.signal(SIGTERM))
                #expect(process.wait(deadlineMs: 10_000) == .exited(0))
                #expect(ScratchDirectory.text(output).split(separator: "\n").count == 1)
            }
        }

        @Test("A report by app is written once as CSV and as a picture")
        func once() async throws {
            try await TestSystem.run(services: Self.services) { system in
                var desk = FollowDesk(system)
                try await desk.use("some.app")
                try await desk.use(nil)
                let picture = system.scratch.file("a.png")
                let (process, output) = try desk.start(
                    ["report", "--csv", "--png", picture, "--by", "app", "--language", "ko"]
                )
                #expect(process.wait(deadlineMs: 60_000) == .exited(0), "\(ScratchDirectory.text(output))")
                #expect(ScratchDirectory.text(output).hasPrefix("start,end,day,"))
                #expect(
                    try AtomicFile.read(picture, limitBytes: 8 << 20).starts(with: [0x89, 0x50, 0x4E, 0x47])
                )
            }
        }
    }
}
