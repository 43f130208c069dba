import Foundation
import STContracts
import STFrameworkSamples
import STPlatform
import STTestSupport
import Testing

@testable import ManagedSettings
@testable import ManagedSettingsUI
@testable import UIKit

@Suite("Shield configurations")
struct ShieldConfigurationTests {
    private let app = ShieldSubjectBody(id: "org.example.game", token: "AQ==", name: "Game")
    private let site = ShieldSubjectBody(id: "news.example", token: "Ag==")
    private let category = ShieldSubjectBody(id: "games", token: "Aw==", name: "Games")

    private func ask(_ source: ShieldConfigurationDataSource, _ body: ShieldConfigurationBody) throws
        -> ShieldConfigurationResult
    {
        let call = ExtensionCall(
            id: "D",
            attempt: 1,
            method: "configuration",
            body: try JSONValue(text: body.encodedBody()),
            wallMs: 0,
            deadlineMs: 0
        )
        return try ShieldConfigurationResult.decodedBody(source.perform(call).text)
    }

    /// Returns a title with the arguments of the call.
    private final class Asked: ShieldConfigurationDataSource {
        private func say(_ parts: String?...) -> ShieldConfiguration {
            let words = parts.map { $0 ?? "nil" }.joined(separator: " ")
            return ShieldConfiguration(title: .init(text: words, color: .black))
        }

        override func configuration(shielding application: Application) -> ShieldConfiguration {
            say(application.bundleIdentifier, application.localizedDisplayName, "\(application.token != nil)")
        }

        override func configuration(shielding application: Application, in category: ActivityCategory)
            -> ShieldConfiguration
        {
            say(application.localizedDisplayName, category.localizedDisplayName, "\(category.token != nil)")
        }

        override func configuration(shielding webDomain: WebDomain) -> ShieldConfiguration {
            say(webDomain.domain, "\(webDomain.token != nil)")
        }

        override func configuration(shielding webDomain: WebDomain, in category: ActivityCategory)
            -> ShieldConfiguration
        {
            say(webDomain.domain, category.localizedDisplayName)
        }
    }

    @Test("Each of the four configuration methods receives its case, with names that are never nil")
    func methods() throws {
        func title(_ body: ShieldConfigurationBody) throws -> String? {
            try ask(Asked(), body).look.title?.text
        }
        #expect(try title(.init(application: app)) == "org.example.game Game true")
        #expect(try title(.init(application: app, category: category)) == "Game Games true")
        #expect(try title(.init(webDomain: site)) == "news.example true")
        let nameless = ShieldSubjectBody(id: "social", token: "", name: "")
        #expect(try title(.init(webDomain: site, category: nameless)) == "news.example social")
    }

    @Test("A configuration method that is not overridden is reported, and an empty configuration is not")
    func missing() throws {
        let half = HalfShieldSample()
        #expect(try ask(half, .init(application: app)).missing == nil)
        let others = [
            try ask(half, .init(application: app, category: category)),
            try ask(half, .init(webDomain: site)),
            try ask(half, .init(webDomain: site, category: category)),
        ]
        #expect(
            others.map(\.missing) == [
                "configuration(shielding:in:) of Application", "configuration(shielding:) of WebDomain",
                "configuration(shielding:in:) of WebDomain",
            ]
        )
        #expect(others.allSatisfy { $0.look == ShieldAppearance(submenu: []) })
        let empty = try ask(ShieldSample(), .init(webDomain: site, category: category))
        #expect(empty.missing == nil && empty.look == ShieldAppearance(submenu: []))
    }

    @Test("The appearance of a shield is encoded with colours for both styles")
    func look() throws {
        let look = try ask(ShieldSample(), .init(application: app)).look
        #expect(look.blur == "systemThickMaterialDark")
        #expect(look.background == ShieldColor(light: "#F2F2F799", dark: "#1A1A1A99"))
        #expect(look.title?.text == "Game rests")
        #expect(look.title?.color == ShieldColor(light: "#1480FFFF", dark: "#1480FFFF"))
        #expect(look.subtitle?.color.dark == "#EBEBF599")
        #expect(look.primary?.text == "OK" && look.primaryBackground == nil)
        #expect(look.secondary?.color.light == "#007AFFFF")
        // The tests have no such picture.
        #expect(look.icon == nil)

        let other = try ask(ShieldSample(), .init(webDomain: site)).look
        #expect(other.icon?.kind == .system && other.icon?.name == "globe")
        #expect(other.icon?.tint == ShieldColor(light: "#FF3B30FF", dark: "#FF453AFF"))
    }

    @Test("Blur styles have Apple's names and raw values")
    func blurs() {
        let look = ShieldAppearance(ShieldConfiguration(backgroundBlurStyle: .systemChromeMaterialLight))
        #expect(look.blur == "systemChromeMaterialLight")
        #expect(UIBlurEffect.Style(rawValue: 3) == nil && UIBlurEffect.Style(rawValue: 21) == nil)
        #expect(UIBlurEffect.Style.prominent.rawValue == 5)
        #expect(UIBlurEffect.Style.systemMaterialDark.rawValue == 18)
    }

    @Test("A picture in the bundle is sent as a path, any other as data, and a large one is omitted")
    func icons() throws {
        let scratch = try ScratchDirectory()
        let inside = scratch.file("bundle/in.png")
        let outside = scratch.file("out.png")
        try FileManager.default.createDirectory(
            atPath: scratch.file("bundle"),
            withIntermediateDirectories: false
        )
        for path in [inside, outside] { try Pictures.png(8, 8).write(to: URL(filePath: path)) }
        let link = scratch.file("bundle/link.png")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
        func icon(_ image: UIImage?) -> ShieldIcon? {
            image.flatMap { ShieldIcon($0, bundle: scratch.file("bundle")) }
        }
        let real = URL(filePath: inside).resolvingSymlinksInPath().path
        #expect(icon(UIImage(contentsOfFile: inside)) == ShieldIcon(kind: .file, name: real))
        let data = ShieldIcon(kind: .data, data: Pictures.png(8, 8).base64EncodedString())
        #expect(icon(UIImage(contentsOfFile: outside)) == data)
        #expect(icon(UIImage(contentsOfFile: link)) == data)
        #expect(icon(UIImage(data: Pictures.png(8, 8))) == data)
        let pair = UIImage(.file(inside, dark: inside), nil)
        #expect(icon(pair)?.darkName == real)
        #expect(icon(UIImage()) == nil)
        let template = UIImage(data: Pictures.png(8, 8))?.withRenderingMode(.alwaysTemplate)
        #expect(icon(template)?.tint?.light == "#007AFFFF")

        let most = Pictures.png(8, 8) + Data(count: ShieldIcon.dataBytesMax - Pictures.png(8, 8).count)
        #expect(icon(UIImage(data: most))?.kind == .data)
        #expect(icon(UIImage(data: most + Data(count: 1))) == nil)
        try (most + Data(count: 1)).write(to: URL(filePath: outside))
        #expect(icon(UIImage(contentsOfFile: outside)) == nil)
        #expect(icon(UIImage(data: most + Data(count: 50 << 20))) == nil)
    }

    @Test("Long texts and menus of a shield are cut to fit into the reply")
    func cut() throws {
        let text = String(repeating: "가", count: 33_000)
        let configuration = ShieldConfiguration(
            title: .init(text: text, color: .label),
            secondaryButtonSubmenuItems: Array(repeating: text, count: 9)
        )
        let look = ShieldAppearance(configuration)
        #expect(look.submenu.count == 3)
        let bytes = try look.encodedBody().count
        #expect(bytes < 20_000)
    }
}
