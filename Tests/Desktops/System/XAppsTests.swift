import Glibc
import STContracts
import STDesktopKit
import STPlatform
import STTestSupport
import STZeroMQ
import Testing

@Suite("Apps of a real X display", .serialized)
struct XAppsTests {
    @Test("A terminal is listed as never paused, and another app is not")
    func terminal() async throws {
        try await XHouse.run { house in
            // The terminal comes second, because the moment at which it opens and takes the focus is uncertain.
            _ = try await house.window(house.program(), "Alpha")
            try house.display.start("xterm", list: [])
            try await eventually(within: .seconds(40), "the reason why xterm is never paused is reported") {
                let windows = try await house.ask(DesktopWindows.self, .init()).windows
                let terminal = windows.first {
                    $0.title?.isEmpty == false && $0.app?.contains("xterm") == true
                }
                guard terminal?.neverPaused?.english.contains("terminal") == true else {
                    throw NotYet("\(windows)")
                }
                #expect(windows.first { $0.app == "alpha" }?.neverPaused == nil)
            }
        }
    }

    @Test("An app that is installed while the agent runs is listed, and its name and category are recorded")
    func installed() async throws {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let folder = scratch.file("applications")
        try #require(mkdir(folder, 0o700) == 0)
        let environment = ["SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS": folder]
        try await XHouse.run(environment: environment) { house in
            let program = try house.program()
            try program.ask("map Alpha Alpha 100 100 500 400")
            try await eventually("the window without a desktop entry is reported") {
                let windows = try await house.ask(DesktopWindows.self, .init()).windows
                guard windows.contains(where: { $0.title == "Alpha" }) else { throw NotYet("\(windows)") }
            }
            let first = try await eventually("the agent has read the empty folder") {
                try await house.ask(DesktopCatalogue.self, .init()).apps
            }
            #expect(first.isEmpty)

            for name in ["Alpha", "Beta"] {
                try scratch.write(
                    "[Desktop Entry]\nType=Application\nName=\(name) Deluxe\nExec=\(name.lowercased())-bin\n"
                        + "StartupWMClass=\(name)\nCategories=Education;\n",
                    to: "applications/org.example.\(name.lowercased()).desktop"
                )
            }
            try await eventually(within: .seconds(40), "both are in the list") {
                let apps = try await house.ask(DesktopCatalogue.self, .init()).apps
                guard apps.map(\.name) == ["Alpha Deluxe", "Beta Deluxe"],
                    apps.allSatisfy({ $0.category == "education" })
                else { throw NotYet("\(apps)") }
            }
            // Beta was never in the foreground.
            for name in ["alpha", "beta"] {
                let subject = "org.example.\(name)"
                try await eventually(within: .seconds(60), "\(name) has its name and category") {
                    let facts = try await house.ask(CategoryFacts.self, .init(subjects: [subject])).facts
                    guard facts.first?.category == "education", facts.first?.name != nil else {
                        throw NotYet("\(facts)")
                    }
                }
            }
        }
    }
}
