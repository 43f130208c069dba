import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ReportSuite {
    @Suite("Reports of apps")
    struct MakingTests {
        @Test(
            "An app's report is made by its extension, checked, and fetched in pieces, as is the list of reports"
        )
        func made() async throws {
            try await ReportWorld.run { world in
                try await world.install()
                let list = try await world.system.client.call(
                    ReportContexts.self,
                    .init(app: ReportWorld.app),
                    options: CallOptions(timeoutMs: 30_000)
                )
                #expect(list.contexts.starts(with: ["total", "nothing"]), "\(list)")
                let made = try await world.render("markup")
                #expect(made.app == ReportWorld.app && made.context == "markup" && made.pieces == 1)
                let page = try await world.page(made)
                // Text stays text: the drawing code knows the type.
                #expect(page.variants[0].nodes[0].runs?.first?.text == "<script>alert(1)</script>")
                try await world.logged("asked for markup")
                // A missing report or piece is reported.
                let unknown = try await world.piece("nowhere", 0)
                #expect(unknown.code == "report.gone", "\(unknown)")
                let beyond = try await world.piece(made.report, 1)
                #expect(beyond.code == "report.no_piece", "\(beyond)")
                #expect(try await world.piece(made.report, -1).code == "report.no_piece")
            }
        }

        @Test("An app's report is kept until other reports have replaced it")
        func shelf() async throws {
            try await ReportWorld.run { world in
                try await world.install()
                let first = try await world.render("markup")
                var last = first
                for _ in 0..<15 { last = try await world.render("markup") }
                _ = try await world.page(first)
                // It was used last, so another report is dropped.
                last = try await world.render("markup")
                _ = try await world.page(first)
                _ = try await world.page(last)
                for _ in 0..<16 { last = try await world.render("markup") }
                #expect(try await world.piece(first.report, 0).code == "report.gone")
                _ = try await world.page(last)
            }
        }

        @Test("Repeated reports of an app are made by the same process, and later ones by another process")
        func warm() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_KEEP_WARM_MS": "6000"]) {
                world in
                try await world.install()
                let first = try await world.text("warm")
                #expect(try await world.text("warm") == first)
                // Another language needs another process.
                let other = try await world.text("warm", language: "ko")
                #expect(other != first)
                #expect(try await world.text("warm", language: "ko") == other)
                let world = world
                try await eventually(within: .seconds(40), "no unused process is left") {
                    if !world.processes.isEmpty { throw NotYet("\(world.processes)") }
                }
                #expect(try await world.text("warm", language: "ko") != other)
            }
        }

        @Test("Reports of two apps are made simultaneously, each by its own process")
        func two() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "30000"]) {
                world in
                try await world.install("one")
                try await world.install("two")
                async let first = world.text("waits", app: "one")
                async let second = world.text("waits", app: "two")
                // Both are in progress before either is done.
                try await world.logged("one", "waiting")
                try await world.logged("two", "waiting")
                #expect(world.processes.count == 2)
                try world.system.scratch.write("", to: "state/report-may-end")
                #expect(try await first == second)
            }
        }

        @Test("A report leaves no process that its extension started")
        func orphans() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_KEEP_WARM_MS": "50"]) {
                world in
                try await world.install()
                // The extension prints its own pid. Its child inherits the mark by which both are found.
                let own = Int32(try await world.text("orphan").split(separator: " ").last ?? "")
                let seen = world.processes
                #expect(seen.isEmpty || seen.contains { $0 != own })
                let pids = seen + [try #require(own)]
                // A process that has ended keeps its pid until it is reaped.
                try await eventually("all are gone") {
                    let left = world.processes + pids.filter { kill($0, 0) == 0 }
                    if !left.isEmpty { throw NotYet("\(left)") }
                }
                #expect(pids.allSatisfy { kill($0, 0) != 0 })
            }
        }

        @Test(
            "A report interrupted by a kill of report-service is refused or repeated, and leaves no process"
        )
        func killed() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "30000"]) {
                world in
                try await world.install()
                let kept = try await world.render("markup")
                async let asked = world.text("waits")
                try await world.logged("waiting")
                let before = world.processes
                #expect(before.count == 1)
                try world.system.kill(.report)
                try world.system.waitUntilReady()
                try await eventually("the first process is gone") {
                    if before.contains(where: { Glibc.kill($0, 0) == 0 }) { throw NotYet("\(before)") }
                }
                try world.system.scratch.write("", to: "state/report-may-end")
                // Either rejected, or made again after the request was repeated. Never left waiting.
                let outcome: String
                do { outcome = try await asked } catch { outcome = (error as? Problem)?.code ?? "\(error)" }
                let known = [
                    "unavailable", "deadline.exceeded", "request.cancelled", "used -1 ms", "used 0 ms",
                ]
                #expect(known.contains(outcome), "\(outcome)")
                #expect(try await world.text("warm").hasPrefix("pid "))
                #expect(try await world.piece(kept.report, 0).code == "report.gone")
                #expect(world.processes.count == 1)
            }
        }
    }
}

extension ReportWorld {
    func piece(_ report: String, _ piece: Int64) async throws -> Problem {
        do {
            let request = ReportPiece.Request(report: report, piece: piece)
            let reply = try await system.client.call(ReportPiece.self, request)
            throw NotYet("it is there: \(reply.bytes.count) bytes")
        } catch let problem as Problem {
            return problem
        }
    }

    @discardableResult
    func logged(_ text: String) async throws -> AppLogLine { try await logged(Self.app, text) }
}
