import STCommandCore
import STCommandKit
import STContracts
import STPlatform
import STTestSupport
import Synchronization
import Testing

@Suite("screentime report", .timeLimit(.minutes(5)))
struct ReportCommandTests {
    private let answers = ReportAnswers()

    private func run(_ line: [String]) async throws -> (ExitCode, CommandOutput, ScratchDirectory) {
        let scratch = try ScratchDirectory()
        let directories = Directories(run: scratch.path, state: scratch.path, config: scratch.path)
        var services: [FakeService] = []
        for name in [ServiceName.report, .auth, .desktop, .activity] {
            let answers = answers
            let service = try FakeService(name) { try answers.answer($0, $1) }
            try await service.start(directories)
            services.append(service)
        }
        let result = await CommandOutput.run(
            ["report"] + line.map { $0.replacing("SCRATCH", with: scratch.path) },
            in: scratch.path
        )
        for service in services { await service.stop() }
        return (result.0, result.1, scratch)
    }

    /// Of the made-up household, on whichever day this runs.
    private let day = ["--day", "2026-11-19"]

    @Test("`report` without --context prints the usage of a day by app, with at most four requests")
    func plain() async throws {
        let (code, output, scratch) = try await run(day + ["--language", "en"])
        defer { scratch.remove() }
        #expect(code == .done, "\(output.error)")
        for part in ["Screen time by app", "19 November 2026", "Firefox", "Recorded since"] {
            #expect(output.standard.contains(part), "\(part) is missing in \(output.standard)")
        }
        let asked = try #require(try answers.last(ReportUsage.self))
        #expect(asked.segment == .whole && asked.by == [.app] && asked.top == 12)
        // Four questions, put at the same time, and no fifth.
        #expect(answers.asked.withLock { $0.count } <= 4)
    }

    @Test("`report --json` prints the reply with its context and segment")
    func json() async throws {
        let (code, output, scratch) = try await run(day + ["--json", "--by", "site"])
        defer { scratch.remove() }
        #expect(code == .done)
        let value = try JSONOutput.value(Array(output.standard.utf8))
        #expect(value["context"] == "total")
        #expect(value["segment"] == "whole")
        #expect(value["observed"] == true)
        #expect(value["demo"] == false)
        #expect(value["report"]?["segments"] != nil)
        #expect(value["report"]?["zone"] == "Asia/Seoul")
    }

    @Test("`report --csv` prints a table to standard output or writes it to a file")
    func csv() async throws {
        let (code, output, scratch) = try await run(day + ["--csv", "--segment", "hour"])
        scratch.remove()
        #expect(code == .done, "\(output.error)")
        #expect(output.standard.hasPrefix("start,end,day,member,"))
        #expect(output.standard.hasSuffix("\r\n"))
        #expect(try answers.last(ReportUsage.self)?.top == nil)

        let (again, told, other) = try await run(
            day + ["--csv", "SCRATCH/a.csv", "--html", "SCRATCH/a.html"]
        )
        defer { other.remove() }
        #expect(again == .done, "\(told.error)")
        #expect(told.standard.isEmpty)
        #expect(ScratchDirectory.text(other.file("a.csv")).hasPrefix("start,"))
        #expect(ScratchDirectory.text(other.file("a.html")).hasPrefix("<!"))
        #expect(told.error.contains("Written: "))
    }

    @Test("An unknown member or device is rejected with a suggestion, and a device name ignores case")
    func unknown() async throws {
        let (code, output, scratch) = try await run(["--member", "tene"])
        scratch.remove()
        #expect(code == .no)
        #expect(output.error.contains("Did you mean teen?"))

        let (other, told, rest) = try await run(["--device", "phnoe"])
        rest.remove()
        #expect(other == .no)
        #expect(told.error.contains("Did you mean Phone?"))
        #expect(told.error.contains("This computer, Phone"))

        let (third, _, last) = try await run(["--device", "phone"] + day)
        last.remove()
        #expect(third == .done)
        #expect(try answers.last(ReportUsage.self)?.devices == ["d2"])
    }

    @Test("An unknown report is rejected with a list of reports, and an ambiguous one with a list of apps")
    func contexts() async throws {
        answers.apps.withLock { $0 = ["charts": ["pie", "bar"], "worklog": ["pie"]] }
        let (code, output, scratch) = try await run(["--context", "totl"])
        scratch.remove()
        #expect(code == .usage)
        #expect(output.error.contains("Did you mean total?"))
        #expect(output.error.contains("pie, bar of charts; pie of worklog"))
        #expect(output.error.contains("household"))

        let (two, told, rest) = try await run(["--context", "pie"])
        rest.remove()
        #expect(two == .usage)
        #expect(told.error.contains("2 apps have a report “pie”: charts, worklog"))
        #expect(told.error.contains("--app charts"))

        let (third, said, last) = try await run(["--context", "pie", "--app", "chart"])
        last.remove()
        #expect(third == .no)
        #expect(said.error.contains("Did you mean charts?"))
    }

    @Test("The timeout of an app is reported only if no other app has the requested report")
    func silent() async throws {
        answers.apps.withLock { $0 = ["charts": ["bar"], "slow": ["pie"]] }
        let (code, output, scratch) = try await run(["--context", "pie"])
        scratch.remove()
        #expect(code == .no)
        #expect(output.error.contains("took too long"), "\(output.error)")
        let (other, told, rest) = try await run(["--context", "bar"])
        rest.remove()
        #expect(!told.error.contains("took too long"), "\(other)")
    }

    @Test("A timeline of this computer includes rows without a device, and one of another device does not")
    func timeline() async throws {
        for (device, isThere) in [("this computer", true), ("phone", false)] {
            let line = ["--context", "timeline", "--device", device, "--json"]
            let (code, output, scratch) = try await run(line + day)
            scratch.remove()
            #expect(code == .done, "\(output.error)")
            let rows = try JSONOutput.value(Array(output.standard.utf8))["stretches"]
            #expect((rows != .array([])) == isThere)
        }
    }

    @Test("A report of an app is fetched in pieces and printed, and an invalid page is rejected")
    func app() async throws {
        answers.apps.withLock { $0 = ["charts": ["pie", "bar"]] }
        let run1 = PageRun(text: "Made by an app")
        let node = PageNode(kind: .text, runs: [run1])
        answers.page.withLock {
            $0 = Page(language: "ko", controls: [], variants: [PageVariant(chosen: [], nodes: [node])])
        }
        let (code, output, scratch) = try await run([
            "--context", "pie", "--language", "fr", "--from", "monday",
        ])
        scratch.remove()
        #expect(code == .done, "\(output.error)")
        #expect(output.standard.contains("Made by an app"))
        let asked = try #require(try answers.last(ReportRender.self))
        // As pages and apps write it, also where the environment has another form.
        let (tagged, _, gone) = try await run(["--context", "pie", "--language", "en_US"])
        gone.remove()
        #expect(tagged == .done)
        #expect(try answers.last(ReportRender.self)?.language == "en-US")
        #expect(asked.app == "charts" && asked.language == "fr")
        #expect(asked.filter?.models == nil && asked.filter?.users == nil)

        // A control that is not there.
        let broken = PageNode(kind: .control, control: 7)
        answers.page.withLock { $0?.variants[0].nodes = [broken] }
        let (bad, told, rest) = try await run(["--context", "pie"])
        rest.remove()
        #expect(bad == .no)
        #expect(told.error.contains("no such control"))

        answers.page.withLock { $0 = nil }
        let (none, said, last) = try await run(["--context", "bar"])
        last.remove()
        #expect(none == .no)
        #expect(said.error.contains("cannot be read as a page"))
    }

    @Test("`report --follow` ends after --for, and --for without --follow is rejected")
    func follow() async throws {
        let (code, output, scratch) = try await run(["--follow", "--json", "--for", "1500ms"])
        scratch.remove()
        #expect(code == .done, "\(output.error)")
        let lines = output.standard.split(separator: "\n")
        #expect((1...3).contains(lines.count))
        // Each output is written when it has changed, independently of the other.
        let (both, said, two) = try await run([
            "--follow", "--json", "--html", "SCRATCH/a.html", "--for", "2500ms",
        ])
        two.remove()
        #expect(both == .done)
        #expect(said.standard.split(separator: "\n").count == 1)
        let (other, told, rest) = try await run(["--for", "1s"])
        rest.remove()
        #expect(other == .usage)
        #expect(told.error.contains("--for is the time after which --follow ends"))
    }
}
