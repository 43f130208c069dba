import Glibc
import STContracts
import STPlatform
import STTestKit
import STTestSupport
import STZeroMQ
import Testing

extension SystemSuite {
    @Suite("Desktop entries of this computer")
    struct DesktopEntriesTests {
        private static func entry(_ name: String, _ categories: String) -> String {
            "[Desktop Entry]\nType=Application\nName=\(name)\nName[ko]=한\nCategories=\(categories)\n"
        }

        @Test("Desktop entries are read at the start despite broken files, and again when a new app is used")
        func read() async throws {
            let scratch = try ScratchDirectory()
            defer { scratch.remove() }
            let far = scratch.file("far")
            for folder in [far, "\(far)/kde"] { try #require(mkdir(folder, 0o700) == 0) }
            try scratch.write(Self.entry("Pad", "Office;"), to: "far/org.example.pad.desktop")
            try scratch.write(Self.entry("Deep", "Game;"), to: "far/kde/deep.desktop")
            try scratch.write("[Desktop Entry]\nType=", to: "far/broken.desktop")
            try scratch.write(String(repeating: "#", count: 1 << 20), to: "far/huge.desktop")
            // No process ever writes to it, so that opening it for reading would block forever.
            try #require(mkfifo("\(far)/pipe.desktop", 0o600) == 0)
            try #require(symlink(far, "\(far)/again") == 0)
            try #require(symlink("/nowhere/at/all", "\(far)/gone.desktop") == 0)
            let environment = [
                "SCREENTIME_ACTIVITY_CENTER_DESKTOP_FOLDERS": "\(scratch.file("near")):\(far)"
            ]

            let options = TestSystemOptions(environment: environment)
            try await TestSystem.run(services: [.auth, .activity], options: options) { system in
                func facts(_ subject: String) async throws -> SubjectFacts {
                    let request = CategoryFacts.Request(subjects: [subject])
                    let facts = try await system.client.call(CategoryFacts.self, request).facts[0]
                    guard facts.name != nil else { throw NotYet("\(subject) is not known") }
                    return facts
                }
                let pad = try await eventually { try await facts("org.example.pad") }
                #expect(pad.category == "productivity" && pad.names == ["ko": "한"])
                #expect(try await facts("kde-deep").category == "games")

                try scratch.write(Self.entry("New", "Education;"), to: "far/org.example.new.desktop")
                var agent = BusAgent(system: system, member: try await system.makeMembers()[0])
                try await agent.tell(agent.sees("org.example.new"))
                let new = try await eventually(within: .seconds(40), "the desktop entry is read again") {
                    try await facts("org.example.new")
                }
                #expect(new.category == "education")
            }
        }
    }
}
