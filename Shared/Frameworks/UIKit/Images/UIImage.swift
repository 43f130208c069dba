public import Foundation
import STPlatform

/// A picture: of the app's bundle, of the system, or from anywhere.
///
/// It is not decoded here: who draws it does that. PNG and JPEG are known.
public class UIImage: NSObject, @unchecked Sendable {
    // @unchecked: nothing changes.

    /// Whether a picture is drawn as it is, or as a shape in one colour.
    public enum RenderingMode: Int, Sendable {
        /// As it suits.
        case automatic

        /// As it is.
        case alwaysOriginal

        /// As a shape.
        case alwaysTemplate
    }

    /// Where a picture comes from.
    package enum Origin: Sendable, Equatable {
        case nowhere
        case file(String, dark: String?)
        case data(Data)
        case symbol(String)
    }

    package let origin: Origin
    private let head: PictureHead?

    /// How many pixels a point has.
    public let scale: CGFloat

    /// How it is drawn.
    public let renderingMode: RenderingMode

    /// The colour of its shape, where it was given one.
    package let tint: UIColor?

    /// A picture of nothing.
    public override convenience init() { self.init(.nowhere, nil) }

    init(
        _ origin: Origin,
        _ head: PictureHead?,
        scale: CGFloat = 1,
        mode: RenderingMode = .automatic,
        tint: UIColor? = nil
    ) {
        self.origin = origin
        self.head = head
        self.scale = scale
        renderingMode = mode
        self.tint = tint
        super.init()
    }

    /// The picture of that name in the app's bundle: in an asset catalogue, or a file next to its manifest.
    ///
    /// Nil, with a line in the log, when there is none.
    public convenience init?(named name: String) { self.init(named: name, in: nil, with: nil) }

    /// The picture of that name in a bundle; nil is the app's.
    public convenience init?(
        named name: String,
        in bundle: Bundle?,
        compatibleWith traitCollection: UITraitCollection?
    ) {
        self.init(named: name, in: bundle, with: nil)
    }

    /// The picture of that name in a bundle; nil is the app's.
    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Configuration?) {
        guard let found = AssetFolder.of(bundle).image(name) else {
            AssetFolder.miss("UIImage", name)
            return nil
        }
        self.init(.file(found.file, dark: found.dark), found.head, scale: CGFloat(found.scale))
    }

    /// One of the system's pictures, such as `hourglass`; whoever draws has one in place of those it does not know.
    ///
    /// Nil for what cannot be the name of one.
    public convenience init?(systemName name: String) { self.init(systemName: name, withConfiguration: nil) }

    /// One of the system's pictures, such as `hourglass`.
    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName, (1...Self.symbolBytesMax).contains(name.utf8.count) else { return nil }
        self.init(.symbol(name), nil, tint: (configuration as? SymbolConfiguration)?.color)
    }

    private static let symbolBytesMax = 100

    /// A PNG or a JPEG; nil for anything else.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// A PNG or a JPEG with so many pixels a point; nil for anything else.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let head = PictureHead(data) else { return nil }
        self.init(.data(data), head, scale: scale > 0 ? scale : 1)
    }

    /// A file with a PNG or a JPEG; nil for anything else.
    public convenience init?(contentsOfFile path: String) {
        let path = URL(filePath: path).standardizedFileURL.path
        guard let head = PictureHead(file: path) else { return nil }
        let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
        let scale: CGFloat = stem.hasSuffix("@3x") ? 3 : stem.hasSuffix("@2x") ? 2 : 1
        self.init(.file(path, dark: nil), head, scale: scale)
    }

    /// In points; nothing for a picture of the system, which has any size.
    public var size: CGSize {
        guard let head else { return .zero }
        return CGSize(width: CGFloat(head.width) / scale, height: CGFloat(head.height) / scale)
    }

    /// The bytes of a picture that was made of bytes, if they are a PNG; nil for any other.
    public func pngData() -> Data? {
        guard case .data(let data) = origin, data.first == 0x89 else { return nil }
        return data
    }

    // MARK: - Made from others

    /// Its shape in that colour.
    public func withTintColor(_ color: UIColor) -> UIImage {
        UIImage(origin, head, scale: scale, mode: .alwaysTemplate, tint: color)
    }

    /// With that colour for its shape, drawn as said.
    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        UIImage(origin, head, scale: scale, mode: renderingMode, tint: color)
    }

    /// Drawn as said.
    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        UIImage(origin, head, scale: scale, mode: renderingMode, tint: tint)
    }

    /// With the colour of the configuration, where it has one; whoever draws decides about size and weight.
    public func withConfiguration(_ configuration: Configuration) -> UIImage {
        guard let color = (configuration as? SymbolConfiguration)?.color else { return self }
        return UIImage(origin, head, scale: scale, mode: renderingMode, tint: color)
    }

    /// With the colour of the configuration, where it has one.
    public func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? {
        withConfiguration(configuration)
    }
}
