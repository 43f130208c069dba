import Foundation
import STContracts
import STExtensions
import STPlatform
import STTestKit
import STTestSupport
import Testing

@Suite("Shield extensions as processes")
struct ShieldProcessTests {
    private let game = ShieldSubjectBody(id: "org.example.game", token: "AQ==", name: "Game")

    @Test("A shield extension returns its appearance with pictures and colours of the bundle")
    func look() async throws {
        let desk = try MonitorDesk()
        let bundle = desk.scratch.file("bundle")
        let colors = #"{"colors": [{"color": {"components": {"red": "1.0", "green": "0x80", "blue": "0"}}}]}"#
        for (path, data) in [
            ("Assets.xcassets/Accent.colorset/Contents.json", Data(colors.utf8)),
            ("Logo.png", Pictures.png(9, 9)),
        ] {
            let url = URL(filePath: "\(bundle)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: url)
        }
        let body = ShieldConfigurationBody(application: game)
        let outcome = try await desk.ask(
            .shieldConfiguration,
            method: .configuration,
            body: body,
            bundle: bundle
        )
        await desk.stop()

        #expect(outcome.problem == nil)
        let result = try ShieldConfigurationResult.decodedBody(try #require(outcome.result).text)
        #expect(result.look.title?.text == "Game rests" && result.missing == nil)
        #expect(
            result.look.icon?.kind == .file && result.look.icon?.name?.hasSuffix("/bundle/Logo.png") == true
        )
        #expect(result.look.primaryBackground == ShieldColor(light: "#FF8000FF", dark: "#FF8000FF"))
        #expect(desk.requests.isEmpty)
    }

    @Test("A shield action returns a response to a button, and its changes are sent within the call")
    func action() async throws {
        let desk = try MonitorDesk(answer: { _ in
            let held: JSONValue = [["token": "AQ=="], ["token": "Ag=="]]
            return SettingsGet.Reply(
                app: "org.example.sample",
                member: "owner",
                store: "default",
                version: 1,
                settings: ["shield.applications": held]
            ).encodedBody()
        })
        let outcomes = [
            try await desk.ask(
                .shieldAction,
                method: .handle,
                body: ShieldActionBody(action: .primary, application: "AQ==")
            ),
            try await desk.ask(
                .shieldAction,
                method: .handle,
                body: ShieldActionBody(action: .secondary, application: "AQ==")
            ),
            try await desk.ask(
                .shieldAction,
                method: .handle,
                body: ShieldActionBody(action: .primary, category: "AQ==")
            ),
            try await desk.ask(
                .shieldAction,
                method: .configuration,
                body: ShieldActionBody(action: .primary, category: "AQ==")
            ),
        ]
        await desk.stop()

        #expect(outcomes.map { $0.result?["response"]?.string } == ["close", "defer", "defer", nil])
        #expect(outcomes.last?.problem?.details["code"] == "extension.unknown_method")
        #expect(desk.requests.map(\.route) == ["settings.get", "settings.set"])
        let written = try JSONValue(text: try #require(desk.requests.last).body)
        #expect(written["settings"] == ["shield.applications": [["token": "Ag=="]]])
    }
}
