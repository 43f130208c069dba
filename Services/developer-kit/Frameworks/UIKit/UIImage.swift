public import Foundation
import STPlatform

/// An image in PNG or JPEG format, a drawing, or a symbol. The drawing program decodes it.
public class UIImage: NSObject, @unchecked Sendable {
    // @unchecked: an image is immutable.

    public enum RenderingMode: Int, Sendable {
        case automatic, alwaysOriginal, alwaysTemplate
    }

    package enum Origin: Sendable, Equatable {
        case nowhere
        case file(String, dark: String?)
        case data(Data)
        case symbol(String)
        /// The drawing of an app as SVG, with its size.
        case drawing(Data, CGSize)
    }

    package let origin: Origin
    private let head: ImageHeader?

    public let scale: CGFloat
    public let renderingMode: RenderingMode

    /// The tint colour. `nil` if none was set.
    package let tint: UIColor?

    public override convenience init() { self.init(.nowhere, nil) }

    init(
        _ origin: Origin,
        _ head: ImageHeader?,
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

    /// Creates an image from the asset catalogues of the app's bundle, or from a file beside the manifest. Returns `nil`, with an
    /// entry in the log, if it is missing.
    public convenience init?(named name: String) { self.init(named: name, in: nil, with: nil) }

    public convenience init?(
        named name: String,
        in bundle: Bundle?,
        compatibleWith traitCollection: UITraitCollection?
    ) {
        self.init(named: name, in: bundle, with: nil)
    }

    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Configuration?) {
        guard let found = AssetFolder.of(bundle).image(name) else {
            AssetFolder.miss("UIImage", name)
            return nil
        }
        self.init(.file(found.file, dark: found.dark), found.head, scale: CGFloat(found.scale))
    }

    /// Creates a symbol. An unknown symbol is drawn as a placeholder. Returns `nil` if the name is not a valid name of a symbol.
    public convenience init?(systemName name: String) { self.init(systemName: name, withConfiguration: nil) }

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

    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    public convenience init?(data: Data, scale: CGFloat) {
        if let size = Self.drawnSize(data) {
            self.init(.drawing(data, size), nil, scale: scale > 0 ? scale : 1)
            return
        }
        guard let head = ImageHeader(data) else { return nil }
        self.init(.data(data), head, scale: scale > 0 ? scale : 1)
    }

    public convenience init?(contentsOfFile path: String) {
        let path = URL(filePath: path).standardizedFileURL.path
        guard let head = ImageHeader(file: path) else {
            guard let data = ImageHeader.bytes(of: path, atMost: ImageHeader.bytesMax),
                let size = Self.drawnSize(data)
            else { return nil }
            self.init(.drawing(data, size), nil)
            return
        }
        let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
        let scale: CGFloat = stem.hasSuffix("@3x") ? 3 : stem.hasSuffix("@2x") ? 2 : 1
        self.init(.file(path, dark: nil), head, scale: scale)
    }

    /// The size in points. Zero for a symbol, which has no size of its own.
    public var size: CGSize {
        if case .drawing(_, let size) = origin { return size }
        guard let head else { return .zero }
        return CGSize(width: CGFloat(head.width) / scale, height: CGFloat(head.height) / scale)
    }

    /// Returns the size of a drawing of `UIGraphicsImageRenderer`. Returns `nil` for any other data.
    private static func drawnSize(_ data: Data) -> CGSize? {
        let head = String(decoding: data.prefix(300), as: UTF8.self)
        guard head.hasPrefix("<svg xmlns=") else { return nil }
        func side(_ name: String) -> CGFloat? {
            guard let start = head.range(of: " \(name)=\"") else { return nil }
            return Double(head[start.upperBound...].prefix { $0 != "\"" }).map {
                CGFloat(max(0, min(10_000, $0)))
            }
        }
        guard let width = side("width"), let height = side("height") else { return nil }
        return CGSize(width: width, height: height)
    }

    /// Creates the same image with another size in points.
    convenience init(of image: UIImage, _ size: CGSize) {
        var (origin, scale) = (image.origin, image.scale)
        if case .drawing(let data, _) = origin {
            origin = .drawing(data, size)
        } else if let head = image.head, size.width > 0 {
            scale = CGFloat(head.width) / size.width
        }
        self.init(origin, image.head, scale: scale, mode: image.renderingMode, tint: image.tint)
    }

    public func jpegData(compressionQuality: CGFloat) -> Data? { pngData() }

    /// Returns the PNG data from which the image was created, or the SVG data of a drawing. Returns `nil` for any other image.
    public func pngData() -> Data? {
        if case .drawing(let data, _) = origin {
            FrameworkLog.withoutEffect("PNG of a drawing, which is an SVG here,", "UIKit")
            return data
        }
        guard case .data(let data) = origin, data.first == 0x89 else { return nil }
        return data
    }

    // MARK: - Derived images

    public func withTintColor(_ color: UIColor) -> UIImage {
        UIImage(origin, head, scale: scale, mode: .alwaysTemplate, tint: color)
    }

    public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        UIImage(origin, head, scale: scale, mode: renderingMode, tint: color)
    }

    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        UIImage(origin, head, scale: scale, mode: renderingMode, tint: tint)
    }

    /// Applies only the colour of a configuration. The drawing program selects size and weight.
    public func withConfiguration(_ configuration: Configuration) -> UIImage {
        guard let color = (configuration as? SymbolConfiguration)?.color else { return self }
        return UIImage(origin, head, scale: scale, mode: renderingMode, tint: color)
    }

    public func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? {
        withConfiguration(configuration)
    }
}

extension UIImage {
    public class Configuration: NSObject, @unchecked Sendable {
        // @unchecked: a configuration is immutable.
    }

    public enum SymbolWeight: Int, Sendable {
        case unspecified, ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    public enum SymbolScale: Int, Sendable {
        case `default` = -1

        case unspecified, small, medium, large
    }

    /// A configuration of a symbol. Only its colour has an effect.
    public final class SymbolConfiguration: Configuration, @unchecked Sendable {
        // @unchecked: a configuration is immutable.
        let color: UIColor?

        private init(color: UIColor?) { self.color = color }

        public convenience init(pointSize: CGFloat) { self.init(color: nil) }

        public convenience init(pointSize: CGFloat, weight: SymbolWeight) { self.init(color: nil) }

        public convenience init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) {
            self.init(color: nil)
        }

        public convenience init(weight: SymbolWeight) { self.init(color: nil) }

        public convenience init(scale: SymbolScale) { self.init(color: nil) }

        public convenience init(hierarchicalColor: UIColor) { self.init(color: hierarchicalColor) }

        /// Creates a configuration with the first of the colours.
        public convenience init(paletteColors: [UIColor]) { self.init(color: paletteColors.first) }
    }
}

/// Creates headers of images from Foundation's types.
extension ImageHeader {
    /// The number of bytes to read. The size of a JPEG may come after a thumbnail and camera data.
    static let bytesMax = 256 * 1024

    /// Reads a header. Returns `nil` for other formats.
    init?(_ data: Data) {
        self.init([UInt8](data.prefix(Self.bytesMax)))
        guard width > 0, height > 0 else { return nil }
    }

    init?(file: String) {
        guard let data = Self.bytes(of: file, atMost: Self.bytesMax) else { return nil }
        self.init(data)
    }

    /// Reads at most `limit` bytes of a regular file.
    static func bytes(of path: String, atMost limit: Int) -> Data? {
        var isFolder: ObjCBool = false
        // Reading a pipe could block forever.
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            let type = try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: path).resolvingSymlinksInPath().path
            )[.type] as? FileAttributeType, type == .typeRegular,
            let handle = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? handle.close() }
        return try? handle.read(upToCount: limit)
    }
}
