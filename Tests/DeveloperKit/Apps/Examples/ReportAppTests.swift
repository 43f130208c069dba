import Glibc
import STCommandCore
import STContracts
import STPlatform
import STRendering
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension ExampleAppSuite {
    /// Runs the report extensions as real processes over a fixed week. The pictures are written to the folder in
    /// `SCREENTIME_PICTURES` for inspection.
    @Suite("Reports of the example apps")
    struct ReportAppTests {
        private static let patient = TestSystemOptions(
            environment: ["SCREENTIME_REPORT_SERVICE_REPORT_MS": "60000", "TZ": "UTC"]
        )

        private func page(_ system: TestSystem, app: String, context: String, language: String)
            async throws -> Page
        {
            let made = try await system.client.call(
                ReportRender.self,
                .init(app: app, context: context, filter: ReportWeek.filter, language: language),
                options: CallOptions(timeoutMs: 60_000)
            )
            var bytes: [UInt8] = []
            for piece in 0..<made.pieces {
                let reply = try await system.client.call(
                    ReportPiece.self,
                    .init(report: made.report, piece: piece)
                )
                bytes += Base64.decode(reply.bytes) ?? []
            }
            return try Page.decodedBody(bytes)
        }

        /// Writes the page as terminal text, as HTML, and as a picture in each appearance.
        private func keep(_ page: Page, name: String, scratch: ScratchDirectory) throws -> String {
            let folder = getenv("SCREENTIME_PICTURES").map { String(cString: $0) } ?? scratch.path
            let child = DrawingRunner(path: try BuiltTree.program("screentime-draw"))
            for appearance in [DrawAppearance.light, .dark] {
                let png = "\(folder)/\(name)-\(appearance.rawValue).png"
                let answer = try child.draw(DrawPageRequest(page: page, appearance: appearance, output: png))
                #expect(answer.warnings == [], "\(name)")
                #expect(try AtomicFile.read(png, limitBytes: 8 << 20).count > 2_000, "\(name)")
            }
            let html = Array(PageHTML.document(page).utf8)
            try AtomicFile.write(html, to: "\(folder)/\(name).html", durable: false)
            let text = PageTerminal.lines(page, columns: 100, colour: false).joined(separator: "\n") + "\n"
            try AtomicFile.write(Array(text.utf8), to: "\(folder)/\(name).txt", durable: false)
            return text
        }

        @Test("Reports of the example apps show a week of usage in two languages and two appearances")
        func drawn() async throws {
            try await TestSystem.run(services: [.auth, .activity, .report], options: Self.patient) { system in
                for app in ["barebones", "worklog", "usage-charts"] {
                    _ = try await ExampleApp.approved(app, in: system)
                }
                try await ReportWeek.live(in: system)
                let cases = [
                    (
                        "barebones", "Total Activity",
                        ["en": ["32h59m", "14h25m", "34 pickups"], "ko": ["스크린 타임", "32시간 59분"]]
                    ),
                    ("worklog", "Pie Chart", ["en": ["32h59m in all, 4h42m a day"], "ko": ["이번 주", "게임"]]),
                    ("usage-charts", "pieChart", ["en": ["32h59m", "code"], "ko": ["32시간 59분"]]),
                    ("usage-charts", "barChart", ["en": ["code"], "ko": ["code"]]),
                ]
                for (app, context, words) in cases {
                    for (language, expected) in words.sorted(by: { $0.key < $1.key }) {
                        let page = try await page(system, app: app, context: context, language: language)
                        let short = context.filter { !$0.isWhitespace }
                        let text = try keep(
                            page,
                            name: "\(app)-\(short)-\(language)",
                            scratch: system.scratch
                        )
                        for word in expected { #expect(text.contains(word), "\(app) \(context): \(text)") }
                    }
                }
                // Each piece of the ring can be selected, which dims the other pieces.
                let pie = try await page(system, app: "usage-charts", context: "pieChart", language: "en")
                #expect(pie.variants.count > 5)
                let chosen = pie.variants[1].nodes.compactMap(\.chart).first?.marks ?? []
                #expect(chosen.filter { ($0.opacity ?? 1) < 1 }.count == chosen.count - 1)
            }
        }

        @Test("The usage-charts app puts its reports on one page with a switch")
        func onePage() async throws {
            try await TestSystem.run(services: [.auth, .activity, .report], options: Self.patient) { system in
                let app = try await ExampleApp.approved("usage-charts", in: system)
                let lines = try await app.run(language: "ko_KR.UTF-8")
                #expect(lines.status == 0, "\(lines.output)")
                #expect(lines.output.contains("이번 주") && lines.output.contains("막대 그래프"), "\(lines.output)")
                let html = system.scratch.file("week.html")
                let written = try await app.run(["--html", html, "--select", "Bars"])
                #expect(written.status == 0, "\(written.output)")
                let document = ScratchDirectory.text(html)
                #expect(
                    document.contains("type=\"radio\"") && document.contains("Nothing was used this week.")
                )
                let refused = try await app.run(["--select", "Maps"])
                #expect(refused.status == 2 && refused.output.contains("Pie, Bars"), "\(refused.output)")
            }
        }

        @Test("The report of an app without access shows the problem instead of usage")
        func refused() async throws {
            try await TestSystem.run(services: [.auth, .activity, .report], options: Self.patient) { system in
                let app = try await ExampleApp.approved("usage-charts", in: system)
                _ = try await system.client.call(AuthSwitch.self, .init(app: "usage-charts", access: false))
                let said = try await eventually("report-service has received the revocation") {
                    let said = try await app.run()
                    guard said.output.contains("[auth.unauthorized]") else { throw NotYet(said.output) }
                    return said
                }
                #expect(said.status == 0, "\(said.output)")
                #expect(!said.output.contains("Nothing was used this week."), "\(said.output)")
            }
        }
    }
}
