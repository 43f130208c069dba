import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ReportSuite {
    /// The extension is like a developer's: scenes, views and charts, only with the frameworks.
    @Suite(
        "Sample report extension",
        .enabled(if: BuiltTree.hasKit, "uses a program of the developer kit")
    )
    struct SampleTests {
        private static let manifest = ReportWorld.manifest(
            ReportWorld.app,
            program: "screentime-sample-report"
        )

        private static func words(_ page: Page) -> [String] {
            page.variants[0].nodes.flatMap { $0.runs ?? [] }.map(\.text)
        }

        @Test("Reports of the sample extension show recorded usage, and more after more usage")
        func live() async throws {
            try await ReportWorld.run { world in
                try await world.install(manifest: Self.manifest)
                var watcher = try await Watcher(world)
                try await watcher.sees("org.example.editor", seconds: 180)
                let first = try await world.page(world.render("total", filter: watcher.filter))
                #expect(Self.words(first).contains { $0.contains("3m") }, "\(Self.words(first))")
                #expect(Self.words(first).contains { $0.contains("org.example.editor") })
                try await watcher.sees("org.example.browser", seconds: 120)
                let second = try await world.page(world.render("total", filter: watcher.filter))
                #expect(Self.words(second).contains { $0.contains("5m") }, "\(Self.words(second))")
                #expect(Self.words(second).contains { $0.contains("org.example.browser") })
                let pie = try await world.page(world.render("pie", filter: watcher.filter))
                #expect(pie.variants.count > 1)
                let chart = pie.variants[0].nodes.compactMap(\.chart).first
                #expect(chart?.marks.first?.kind == .sector && chart?.marks.first?.angle == 300)
                let hours = try await world.page(world.render("hours", filter: watcher.filter))
                let bars = hours.variants[0].nodes.compactMap(\.chart).first?.marks ?? []
                #expect(!bars.isEmpty && bars.allSatisfy { $0.kind == .bar })
            }
        }

        @Test("The sample extension lists its reports, and each fault of a report has its own code")
        func refused() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "20000"]) {
                world in
                try await world.install(manifest: Self.manifest)
                let list = try await world.system.client.call(
                    ReportContexts.self,
                    .init(app: ReportWorld.app),
                    options: CallOptions(timeoutMs: 40_000)
                )
                #expect(list.contexts.starts(with: ["total", "pie", "hours"]), "\(list)")
                let cases = [
                    ("nothing", "report.empty"), ("totals", "report.unknown_context"),
                    ("greedy", "extension.over_memory"), ("crash", "extension.crashed"),
                ]
                for (context, code) in cases {
                    let problem = try await world.problem(context)
                    #expect(problem.code == code, "\(context): \(problem)")
                }
                for context in ["huge", "deep"] {
                    let problem = try await world.problem(context)
                    #expect(problem.code.hasPrefix("page."), "\(context): \(problem)")
                }
                try await world.logged("of private memory; 100 MB are allowed")
                let net = try await world.page(world.render("net"))
                #expect(Self.words(net) == ["no socket: 13"])
                try await world.logged("It tried to open a network socket (IPv4)")
            }
        }

        @Test("A report of the sample extension that never ends is ended at the time limit")
        func endless() async throws {
            try await ReportWorld.run(environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "2000"]) { world in
                try await world.install(manifest: Self.manifest)
                let problem = try await world.problem("endless")
                #expect(problem.code == "extension.timed_out", "\(problem)")
            }
        }
    }
}
