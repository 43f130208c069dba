import Foundation
import STContracts
import STFoundationTypes
import UIKit

extension ShieldAppearance {
    /// The maximum length of a text. Longer texts are truncated, because no shield shows more and the result sent to the host is
    /// limited.
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

extension ShieldIcon {
    /// Creates an icon. Returns `nil`, with the reason in the log, if a shield cannot show the image.
    init?(_ image: UIImage) { self.init(image, bundle: AppFolder.current) }

    init?(_ image: UIImage, bundle: String) {
        // A template image without a colour has the colour of controls, as on a phone.
        let tint = image.tint ?? (image.renderingMode == .alwaysTemplate ? .tintColor : nil)
        let color = tint.map { ShieldColor($0) }
        switch image.origin {
        case .nowhere: return nil
        case .symbol(let name): self.init(kind: .system, name: name, tint: color)
        case .data(let data), .drawing(let data, _):
            guard let text = Self.text(data, "a picture of \(data.count) bytes") else { return nil }
            self.init(kind: .data, data: text, tint: color)
        case .file(let path, let dark):
            let real = Self.real(path)
            if real.hasPrefix(Self.real(bundle) + "/") {
                self.init(kind: .file, name: real, darkName: dark.map(Self.real), tint: color)
            } else {
                // The drawing program only reads files in the app's bundle.
                guard let data = Self.read(path), let text = Self.text(data, path) else { return nil }
                self.init(kind: .data, data: text, tint: color)
            }
        }
    }

    private static func real(_ path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    private static func read(_ path: String) -> Data? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        return try? handle.read(upToCount: dataBytesMax + 1)
    }

    private static func text(_ data: Data, _ what: String) -> String? {
        guard data.count <= dataBytesMax else {
            FrameworkLog.shield.fault(
                "a shield is shown without its icon: \(what) is too large, \(dataBytesMax) bytes are the limit."
                    + " Put the picture into the app's bundle, or make it smaller."
            )
            return nil
        }
        return data.base64EncodedString()
    }
}
