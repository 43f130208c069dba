import STContracts
import UIKit

extension ShieldLook {
    /// Beyond this a text is cut here: no shield shows as much, and the answer to the host has its limit.
    private static let textBytesMax = 4 * 1024
    private static let submenuMax = 3

    init(_ configuration: ShieldConfiguration) {
        self.init(
            blur: configuration.backgroundBlurStyle.map { "\($0)" },
            background: configuration.backgroundColor.map { ShieldColor($0) },
            icon: configuration.icon.flatMap { ShieldIcon($0) },
            title: configuration.title.map(Self.text),
            subtitle: configuration.subtitle.map(Self.text),
            primary: configuration.primaryButtonLabel.map(Self.text),
            primaryBackground: configuration.primaryButtonBackgroundColor.map { ShieldColor($0) },
            secondary: configuration.secondaryButtonLabel.map(Self.text),
            submenu: (configuration.secondaryButtonSubmenuItems ?? []).prefix(Self.submenuMax).map(Self.cut)
        )
    }

    private static func text(_ label: ShieldConfiguration.Label) -> ShieldText {
        ShieldText(text: cut(label.text), color: ShieldColor(label.color))
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= textBytesMax
            ? text : String(decoding: text.utf8.prefix(textBytesMax), as: UTF8.self)
    }
}

extension ShieldColor {
    init(_ color: UIColor) {
        let hexes = color.hexes
        self.init(light: hexes.light, dark: hexes.dark)
    }
}
