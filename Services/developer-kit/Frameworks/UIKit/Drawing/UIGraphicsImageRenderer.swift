public import Foundation
import STFoundationTypes
import STPlatform

/// Renders the drawing of an app to an image, for example an emoji as the icon of a shield.
public final class UIGraphicsImageRenderer: NSObject {
    private let bounds: CGRect
    public let format: UIGraphicsImageRendererFormat

    public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        self.bounds = bounds
        self.format = format
    }

    public convenience init(bounds: CGRect) { self.init(bounds: bounds, format: .default()) }

    public convenience init(size: CGSize) { self.init(size: size, format: .default()) }

    public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
        self.init(bounds: CGRect(origin: .zero, size: size), format: format)
    }

    public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        let context = CGContext(bounds.size, scale: format.scale)
        context.translateBy(x: -bounds.minX, y: -bounds.minY)
        CGContext.all.append(context)
        defer { _ = CGContext.all.popLast() }
        actions(UIGraphicsImageRendererContext(context, format))
        return context.image
    }

    /// Returns the drawing as SVG, which `UIImage(data:)` also accepts. It cannot be converted to PNG.
    public func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
        image(actions: actions).pngData() ?? Data()
    }

    public func jpegData(
        withCompressionQuality quality: CGFloat,
        actions: (UIGraphicsImageRendererContext) -> Void
    ) -> Data { pngData(actions: actions) }
}

public final class UIGraphicsImageRendererFormat: NSObject {
    public var scale: CGFloat = 3
    public var opaque = false
    public var prefersExtendedRange = false

    public override init() {}

    public static func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }

    public static func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

public final class UIGraphicsImageRendererContext: NSObject {
    public let cgContext: CGContext
    public let format: UIGraphicsImageRendererFormat

    fileprivate init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) {
        cgContext = context
        self.format = format
    }

    public var currentImage: UIImage { cgContext.image }

    public func fill(_ rect: CGRect) { cgContext.fill(rect) }

    public func fill(_ rect: CGRect, blendMode: CGBlendMode) {
        cgContext.saveGState()
        cgContext.setBlendMode(blendMode)
        cgContext.fill(rect)
        cgContext.restoreGState()
    }

    public func stroke(_ rect: CGRect) { cgContext.stroke(rect) }

    public func clip(to rect: CGRect) { cgContext.clip(to: rect) }
}

extension UIImage {
    public func draw(in rect: CGRect) { CGContext.current?.draw(self, in: rect) }

    public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

    public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
        CGContext.current?.draw(self, in: rect, alpha: alpha)
    }

    /// Returns the image as the start and the end of an SVG element. Returns `nil`, with the reason in the log, if that is not
    /// possible.
    func part(in rect: CGRect, prefix: String) -> (start: String, end: String)? {
        let data: Data?
        switch origin {
        case .nowhere: return nil
        case .symbol(let name):
            FrameworkLog.drawing.error(
                "the symbol \(name) is left out of a drawing, which has no symbols here"
            )
            return nil
        case .data(let bytes), .drawing(let bytes, _): data = bytes
        case .file(let path, _): data = ImageHeader.bytes(of: path, atMost: ImageHeader.bytesMax)
        }
        guard let data, rect.width != 0, rect.height != 0 else { return nil }
        let sides = [("x", rect.minX), ("y", rect.minY), ("width", rect.width), ("height", rect.height)]
        let place =
            sides.map { " \($0)=\"\(SVGNumber.text($1))\"" }.joined() + " preserveAspectRatio=\"none\""
        guard case .drawing(_, let size) = origin else {
            let kind = data.first == 0x89 ? "png" : "jpeg"
            return ("<image\(place) href=\"data:image/\(kind);base64,\(data.base64EncodedString())\"", "/>")
        }
        // Rename its identifiers, because the surrounding drawing uses the same ones.
        let inner = String(decoding: data, as: UTF8.self).drop { $0 != ">" }.replacing(
            "id=\"",
            with: "id=\"\(prefix)"
        )
        .replacing("url(#", with: "url(#\(prefix)")
        let box = "0 0 \(SVGNumber.text(size.width)) \(SVGNumber.text(size.height))"
        return ("<g", "><svg\(place) viewBox=\"\(box)\"\(inner)</g>")
    }
}

/// The image data, without the properties that UIKit adds.
public final class CGImage: Sendable {
    fileprivate let image: UIImage

    fileprivate init(_ image: UIImage) { self.image = image }

    /// The width in pixels.
    public var width: Int { pixels(image.size.width) }
    public var height: Int { pixels(image.size.height) }

    private func pixels(_ points: CGFloat) -> Int {
        let count = points * image.scale
        return count.isFinite ? Int(max(0, min(1e6, count))) : 0
    }
}

extension UIImage {
    public enum Orientation: Int, Sendable {
        case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
    }

    /// The image data. `nil` for a symbol, which has no pixels.
    public var cgImage: CGImage? { size == .zero ? nil : CGImage(self) }

    public convenience init(cgImage: CGImage) {
        self.init(cgImage: cgImage, scale: cgImage.image.scale, orientation: .up)
    }

    /// Creates an image. `orientation` has no effect, so the image is upright.
    public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        let image = cgImage.image
        let size = CGSize(
            width: image.size.width * image.scale / scale,
            height: image.size.height * image.scale / scale
        )
        self.init(of: image, scale > 0 && scale.isFinite ? size : image.size)
    }
}

extension CGContext {
    /// Draws the image upright, as UIKit does.
    public func draw(_ image: CGImage, in rect: CGRect) { draw(image.image, in: rect) }
}

// MARK: - Functions from before there were renderers

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    CGContext.all.append(
        CGContext(size, scale: scale > 0 ? scale : UIGraphicsImageRendererFormat.default().scale)
    )
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsBeginImageContext(_ size: CGSize) {
    UIGraphicsBeginImageContextWithOptions(size, false, 1)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsGetCurrentContext() -> CGContext? { CGContext.current }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? { CGContext.current?.image }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIGraphicsEndImageContext() { _ = CGContext.all.popLast() }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIRectFill(_ rect: CGRect) { CGContext.current?.fill(rect) }

// swift-format-ignore: AlwaysUseLowerCamelCase
public func UIRectFrame(_ rect: CGRect) { CGContext.current?.stroke(rect) }
