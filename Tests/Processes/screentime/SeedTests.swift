import STContracts
import STPlatform
import STTestSupport
import Testing

@testable import STCommandCore

@Suite(
    "Defaults from `app seed`",
    .enabled(if: BuiltTree.hasKit, "uses a program of the developer kit")
)
struct SeedTests {
    @Test(
        "The command `app seed` writes an app's defaults, keeps existing ones, and refuses other groups"
    )
    func seed() throws {
        let system = try CommandSystem()
        let up = try system.up("--only", "auth-service,activity-center")
        let folder = system.scratch.file("Lamp/App")
        try Directories.prepare(folder)
        try AtomicFile.write(
            Array(
                """
                {"id": "lamp", "name": "Lamp", "version": "1", "protocol": 1, "groups": ["group.lamp"],
                 "entitlements": ["family-controls"], "extensions": []}
                """.utf8
            ),
            to: folder + "/manifest.json",
            durable: false
        )
        #expect(try system.run("app", "install", folder).status == .exited(0))

        func seed(_ words: String...) throws -> String {
            try system.run(["app", "seed", "lamp"] + words).output
        }
        #expect(try seed().contains("Lamp/week.json does not exist"))
        try system.scratch.write("{\"apps\": [{\"bundle\": \"App\"}]}", to: "Lamp/week.json")
        #expect(try seed().contains("contains no defaults"))
        try system.scratch.write(
            "{\"apps\": [{\"bundle\": \"App\", \"defaults\": {\"group.lamp\": {\"minutes\": 30, \"on\": true}}}]}",
            to: "Lamp/week.json"
        )
        let first = try seed()
        #expect(first.contains("minutes  30"), "\(first)")
        let path = "\(system.directories.state)/groups/group.lamp/Library/Preferences/group.lamp.plist"
        let written = ScratchDirectory.text(path).filter { !$0.isWhitespace }
        #expect(written.contains("<key>minutes</key><integer>30</integer>"), "\(written)")

        #expect(try seed().contains("already has defaults"))
        try system.scratch.write("{\"group.other\": {\"minutes\": 1}}", to: "other.json")
        #expect(
            try seed("--replace", "--from", system.scratch.file("other.json")).contains(
                "group.other is not a group of this app. Its groups: group.lamp."
            )
        )
        try system.scratch.write(
            "{\"group.lamp\": {\"apps\": {\"selection\": [\"firefox\"]}}}",
            to: "own.json"
        )
        let asked = try seed("--replace", "--from", system.scratch.file("own.json"))
        #expect(asked.contains("screentime app access lamp on"), "\(asked)")
        #expect(ScratchDirectory.text(path).contains("minutes"), "the existing defaults are kept")
        _ = up
    }
}
