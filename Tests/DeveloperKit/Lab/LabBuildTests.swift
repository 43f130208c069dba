import Glibc
import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore
@testable import STLab

/// Compiles the frameworks once in `.build/lab`, which takes one or two minutes. `scripts/test.sh` runs this suite separately.
@Suite("Xcode projects in the lab", .serialized)
struct LabBuildTests {
    /// A sample, the targets that are left out, and the lines that its week must contain.
    private static let samples: [(name: String, leftOut: [String], shows: [String])] = [
        (
            "Focus", [],
            [
                "focus  shield up: all apps",
                "shield in front of firefox, by dev.example.focus/focus  words: firefox",
                "button of steam, primary: close", "intervalDidEnd()",
            ]
        ),
        (
            "Pledge", ["PledgeWidget"],
            [
                "eventDidReachThreshold(half-an-hour)", "button of firefox, secondary: none",
                "shield down: all apps",
            ]
        ),
        ("Quiet", [], ["notification: Quiet soon: The evening is yours.", "quiet  shield up: all apps"]),
        ("Parts", ["PartsAction"], ["of the day  shield up: all apps"]),
        (
            "Beacon", [],
            [
                "beacon  shield up: firefox", "beacon  shield up: category:games",
                "shield in front of steam, by dev.example.Beacon/beacon",
                "WidgetCenter.reloadAllTimelines has no effect on Linux",
            ]
        ),
        ("Sprout", [], ["sprout  shield up: all apps", "Let firefox grow a while."]),
        ("Hallo", [], ["Enough for \"today\": firefox is resting"]),
        // Three extensions share a keychain and the Darwin notification centre. The week begins with an initial guess of 30.
        ("Relay", [], ["The word is lantern, 30 heard", "The word is lantern, 42 heard"]),
        ("Diary", [], ["diary  shield up: all apps", "1 written, last: The day begins."]),
        (
            "Ember", [],
            [
                "The embers glow, 1 looked", "button of firefox, secondary: defer", "| looked 2 times",
                "| a shield is asked for",
            ]
        ),
    ]

    @Test(
        "Each sample project builds unchanged, and its simulated week shows the effects of its code",
        arguments: samples.indices
    )
    func plays(_ index: Int) throws {
        let sample = Self.samples[index]
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let project = BuiltTree.source("Tests/DeveloperKit/Samples/Lab/\(sample.name)")
        let before = try Self.contents(project)

        let (made, output) = try Self.screentime([
            "app", "new", "--from", project, "--to", scratch.path, "--json",
        ])
        #expect(try Self.contents(project) == before, "the project was changed")
        let start = try #require(output.firstIndex(of: "{"), "\(output)")
        let answer = try JSONValue(text: Array(output[start...].utf8))
        guard case .array(let targets) = answer["targets"] else { throw NotYet(output) }
        let missing = targets.compactMap { $0["reason"] == .null ? nil : $0["target"]?.string }
        #expect(missing == sample.leftOut, "\(output)")
        // A left-out widget is not an error.
        #expect(made.isSuccess == !missing.contains("PartsAction"))

        let (tried, week) = try Self.screentime([
            "app", "try", scratch.path, "--html", scratch.file("week.html"),
        ])
        #expect(tried.isSuccess)
        for line in sample.shows { #expect(week.contains(line), "\(line) is not in \(week)") }
        let page = ScratchDirectory.text(scratch.file("week.html"))
        if let folder = ProcessEnvironment.current()["SCREENTIME_PICTURES"] {
            try AtomicFile.write(Array(page.utf8), to: "\(folder)/try-\(sample.name).html")
        }
        let points = targets.compactMap { $0["reason"] == .null ? $0["point"]?.string : nil }
        let hasPictures = points.contains {
            $0.hasSuffix("configuration-service") || $0.hasSuffix("report-extension")
        }
        #expect(page.contains("data:image/png;base64,") || !hasPictures, "\(points)")
    }

    @Test("A new project builds, plays the week of a limit, and fails against a changed expectation")
    func fresh() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let (made, output) = try Self.screentime(["app", "new", "Fresh"], in: scratch.path)
        #expect(made.isSuccess, "\(output)")
        let (_, week) = try Self.screentime(["simulate", scratch.file("Fresh-screentime/week.json")])
        for line in [
            "Enough for today: firefox", "button of firefox, secondary: none", "fresh  shield down: all apps",
        ] {
            #expect(week.contains(line), "\(line) is not in \(week)")
        }
        // In a CI, the previous timeline is the expected one until the code changes.
        let package = scratch.file("Fresh-screentime")
        let (_, first) = try Self.screentime(["app", "try", package])
        try scratch.write(first, to: "before.txt")
        let expect = ["app", "try", package, "--expect", scratch.file("before.txt")]
        #expect(try Self.screentime(expect).0.isSuccess)
        try scratch.write(first.replacing("firefox", with: "firefix"), to: "before.txt")
        let (changed, changes) = try Self.screentime(expect + ["--junit", scratch.file("junit.xml")])
        #expect(!changed.isSuccess && changes.contains("firefix"))
        #expect(ScratchDirectory.text(scratch.file("junit.xml")).contains("failures=\"1\""))
        let (again, refusal) = try Self.screentime(["app", "new", "Fresh"], in: scratch.path)
        #expect(!again.isSuccess && refusal.contains("already exists"))
        let (both, usage) = try Self.screentime(
            ["app", "new", "--from", "Fresh", "--report"],
            in: scratch.path
        )
        #expect(!both.isSuccess && usage.contains("--from"))
    }

    @Test(
        "A target that does not compile is reported with the path of its file, and the other targets are built"
    )
    func refused() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let project = try Self.copy(of: "Quiet", scratch.file("a project"))
        let file = "\(project)/Extensions/Report/QuietReport.swift"
        try AtomicFile.write(
            Array("import SwiftUI\n@main struct Broken: DeviceActivityReportExtension {\n".utf8),
            to: file
        )
        let (status, output) = try Self.screentime(["app", "new", "--from", project])
        #expect(!status.isSuccess)
        #expect(output.contains("QuietMonitor (monitor-extension): built"))
        #expect(output.contains("QuietReport (report-extension): does not compile"))
        #expect(output.contains("\(file):"))
    }

    @Test("A missing external package is reported, and with a stand-in the app runs and logs each call")
    func standsIn() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let project = try Self.copy(of: "Quiet", scratch.file("project"))
        let file = "\(project)/Extensions/Monitor/QuietMonitor.swift"
        let source = ScratchDirectory.text(file)
            .replacing("import DeviceActivity", with: "import CountingCore\nimport DeviceActivity")
            .replacing(
                "override func intervalDidStart(for activity: DeviceActivityName) {",
                with: """
                    var listener: CountingListener?
                    override func intervalDidStart(for activity: DeviceActivityName) {
                        CountingApp.configure()
                        listener = Counting.shared.log("began", values: ["name": activity.rawValue])
                    """
            )
        #expect(source.contains("CountingApp.configure"))
        try AtomicFile.write(Array(source.utf8), to: file)
        let description = ScratchDirectory.text("\(project)/project.yml")
        let uses = description.replacing(
            "  QuietMonitor:\n",
            with: "  QuietMonitor:\n    dependencies: [{package: Counting, product: CountingCore}]\n"
        )
        #expect(uses != description)
        let packages = "packages:\n  Counting: {url: https://example.org/counting}\n"
        try AtomicFile.write(Array((packages + uses).utf8), to: "\(project)/project.yml")
        let (refused, why) = try Self.screentime(["app", "new", "--from", project])
        #expect(!refused.isSuccess && why.contains("--stub CountingCore"), "\(why)")
        let (made, output) = try Self.screentime(["app", "new", "--from", project, "--stub", "counting"])
        #expect(made.isSuccess && output.contains("log each call: CountingCore"), "\(output)")
        let (_, week) = try Self.screentime(["app", "try", "\(project)-screentime"])
        for call in ["CountingApp.configure", "Counting.shared.log"] {
            #expect(week.contains("\(call) does nothing here: CountingCore is a stand-in"), "\(week)")
        }
    }

    @Test("A package of the project can use its other packages, and a stand-in for an external one")
    func packageOfPackages() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let project = try Self.copy(of: "Parts", scratch.file("project"))
        let description = ScratchDirectory.text("\(project)/Kit/Package.swift")
        let uses = description.replacing(
            "    targets: [",
            with: """
                    dependencies: [.package(path: "../Paper"), .package(path: "../Glue"), .package(url: "https://example.org/ink", from: "1.0.0")],
                    targets: [
                """
        )
        .replacing(
            ".target(name: \"Words\")",
            with: """
                .target(name: "Words", dependencies: [.product(name: "Sheets", package: "Paper"),
                    .product(name: "InkCore", package: "ink"), "Glue"])
                """
        )
        try AtomicFile.write(Array(uses.utf8), to: "\(project)/Kit/Package.swift")
        for (package, product) in [("Paper", "Sheets"), ("Glue", "Glue")] {
            try Directories.prepare("\(project)/\(package)/Sources/\(package)")
            try scratch.write(
                """
                // swift-tools-version: 5.9
                import PackageDescription

                let package = Package(
                    name: "\(package)",
                    products: [.library(name: "\(product)", targets: ["\(package)"])],
                    targets: [.target(name: "\(package)")]
                )
                """,
                to: "project/\(package)/Package.swift"
            )
            try scratch.write(
                "public let \(package.lowercased()) = \"of\"\n",
                to: "project/\(package)/Sources/\(package)/Text.swift"
            )
        }
        try scratch.write(
            """
            import Glue
            import InkCore
            import Paper

            public enum Words {
                public static var event: String {
                    Ink.pen.dip(colour: paper)
                    return "\\(glue) the day"
                }
            }
            """,
            to: "project/Kit/Sources/Words/Words.swift"
        )
        let (_, why) = try Self.screentime(["app", "new", "--from", project])
        #expect(why.contains("uses InkCore of ink") && why.contains("--stub InkCore"), "\(why)")
        let (made, output) = try Self.screentime([
            "app", "new", "--from", project, "--stub", "InkCore,Counting",
        ])
        #expect(made.isSuccess, "\(output)")
        let (_, week) = try Self.screentime(["app", "try", "\(project)-screentime"])
        #expect(week.contains("Ink.pen.dip does nothing here: InkCore is a stand-in"), "\(week)")
        #expect(week.contains("of the day"), "\(week)")
    }

    @Test("With --watch, each change is built and played, and a compiler error does not end the watch")
    func watched() throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let project = try Self.copy(of: "Quiet", scratch.file("project"))
        #expect(try Self.screentime(["app", "new", "--from", project]).0.isSuccess)
        let said = scratch.file("said")
        let output = OwnedDescriptor(open(said, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        let watcher = try SpawnedProcess(
            SpawnPlan(
                executable: try BuiltTree.program("screentime"),
                arguments: ["app", "try", "\(project)-screentime", "--watch"],
                environment: Self.environment,
                standardOutput: output.number,
                standardError: output.number
            )
        )
        defer {
            watcher.signal(SIGINT)
            if watcher.wait(deadlineMs: 20_000) == nil { watcher.signalGroup(SIGKILL) }
        }
        func waitFor(_ words: String, times: Int = 1) throws {
            try eventuallyBlocking(within: .seconds(300), "\(words) is said") {
                let text = ScratchDirectory.text(said)
                guard text.ranges(of: words).count >= times else { throw NotYet(text) }
            }
        }
        try waitFor("Waiting for a change")
        try waitFor("notification: Quiet soon")
        let file = "\(project)/Extensions/Monitor/QuietMonitor.swift"
        let before = ScratchDirectory.text(file)
        #expect(before.contains("Quiet soon"))
        try AtomicFile.write(Array((before + "\nlet broken: Int = \"\"\n").utf8), to: file)
        try waitFor("does not compile")
        try waitFor("Waiting for a change", times: 2)
        try AtomicFile.write(Array(before.replacing("Quiet soon", with: "Hush").utf8), to: file)
        try waitFor("notification: Hush")
    }

    /// Copies a sample to a folder where the test can change it.
    private static func copy(of sample: String, _ place: String) throws -> String {
        let copied = try ProgramRun.run(
            "/bin/cp",
            ["-r", BuiltTree.source("Tests/DeveloperKit/Samples/Lab/\(sample)"), place],
            environment: [:],
            timeout: .seconds(10)
        )
        #expect(copied.status.isSuccess)
        return place
    }

    private static func contents(_ folder: String) throws -> [String: String?] {
        let files = try ProjectFolder(folder).files(at: folder)
        return Dictionary(uniqueKeysWithValues: files.map { ($0, FileMark.content(of: $0)) })
    }

    private static var environment: [String: String] {
        var environment = ProcessEnvironment.current()
        environment["XDG_CACHE_HOME"] = BuiltTree.source(".build/lab")
        environment["SCREENTIME_PROGRAMS"] = BuiltTree.programs
        return environment
    }

    private static func screentime(_ arguments: [String], in folder: String = "/") throws -> (
        STPlatform.ExitStatus, String
    ) {
        let run = try ProgramRun.run(
            "/bin/sh",
            ["-c", "cd \"$0\" && exec \"$@\"", folder, try BuiltTree.program("screentime")] + arguments,
            environment: environment,
            timeout: .seconds(900)
        )
        return (run.status, run.output)
    }
}
