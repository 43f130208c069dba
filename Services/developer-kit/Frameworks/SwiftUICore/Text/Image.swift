public import Foundation
import STContracts
import STFoundationTypes
public import UIKit

public struct Image: Equatable, Sendable {
    public enum Scale: Hashable, Sendable {
        case small, medium, large
    }

    public enum ResizingMode: Hashable, Sendable {
        case tile, stretch
    }

    public enum TemplateRenderingMode: Hashable, Sendable {
        case template, original
    }

    public enum Interpolation: Hashable, Sendable {
        case none, low, medium, high
    }

    let picture: UIImage?
    /// The text for a screen reader.
    let label: Text?
    var isResizable = false
    var isDecoration = false
    var isTemplate: Bool?

    private init(_ picture: UIImage?, label: Text?, isDecoration: Bool = false) {
        self.picture = picture
        self.label = label
        self.isDecoration = isDecoration
    }

    public init(systemName: String) { self.init(UIImage(systemName: systemName), label: nil) }

    public init(systemName: String, variableValue: Double?) { self.init(systemName: systemName) }

    /// Creates an image from the app's bundle. A missing image is empty, and is logged.
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(UIImage(named: name, in: bundle, with: nil), label: Text(verbatim: name))
    }

    public init(_ resource: ImageResource) {
        self.init(UIImage(resource: resource), label: Text(verbatim: resource.name))
    }

    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        self.init(UIImage(named: name, in: bundle, with: nil), label: label)
    }

    public init(decorative name: String, bundle: Bundle? = nil) {
        self.init(UIImage(named: name, in: bundle, with: nil), label: nil, isDecoration: true)
    }

    public init(uiImage image: UIImage) { self.init(image, label: nil) }

    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: Image.ResizingMode = .stretch)
        -> Image
    {
        var image = self
        image.isResizable = true
        return image
    }

    public func renderingMode(_ renderingMode: Image.TemplateRenderingMode?) -> Image {
        var image = self
        image.isTemplate = renderingMode.map { $0 == .template }
        return image
    }

    // No effect.
    public func interpolation(_ interpolation: Image.Interpolation) -> Image { self }
    public func antialiased(_ isAntialiased: Bool) -> Image { self }
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
}

extension Image: View, PrimitiveView {
    public typealias Body = Never

    /// The maximum size of an image. A page contains its images, so they must be small.
    private static let bytesMax = 256 * 1024

    package func write(_ page: PageWriter) throws {
        guard let picture, let found = Self.found(picture) else {
            // As on a phone, a missing image becomes an empty view.
            try page.add(PageNode(kind: .layered))
            return
        }
        var image = found
        let tint = picture.tint.map { Color(uiColor: $0).page(in: page.environment) }
        if image.kind == .system || isTemplate ?? (picture.renderingMode == .alwaysTemplate) {
            image.color = tint ?? page.textColor
        }
        if image.kind == .system {
            image.font = page.environment.look.font?.page(page.environment.look.fontChanges)
        }
        // An image that is not resizable keeps its own size, which `nil` represents.
        image.scaling = isResizable ? (page.environment.look.imageScaling ?? "stretch") : nil
        let says = label?.words(in: page.environment)
        try page.add(
            PageNode(
                kind: .image,
                image: image,
                label: says,
                isDecoration: isDecoration || says == nil ? true : nil
            )
        )
    }

    private static func found(_ picture: UIImage) -> PageImage? {
        switch picture.origin {
        case .nowhere: return nil
        case .symbol(let name): return PageImage(kind: .system, name: name)
        case .data(let data), .drawing(let data, _): return made(data, picture.size)
        case .file(let path, _):
            guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
            defer { try? handle.close() }
            return (try? handle.read(upToCount: bytesMax + 1)).flatMap { made($0, picture.size) }
        }
    }

    private static func made(_ data: Data, _ size: CGSize) -> PageImage? {
        guard data.count <= bytesMax else {
            FrameworkLog.drawing.error("a picture is left out of a page: \(bytesMax) bytes are the limit")
            return nil
        }
        return PageImage(
            kind: .data,
            data: data.base64EncodedString(),
            width: Int(Length.of(size.width)),
            height: Int(Length.of(size.height))
        )
    }
}

public enum AsyncImagePhase: Sendable {
    case empty
    case success(Image)
    case failure(any Error)

    public var image: Image? { if case .success(let image) = self { image } else { nil } }
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }
}

/// A view that shows only its placeholder, because a report extension has no network access.
public struct AsyncImage<Content: View>: View {
    private let content: Content?

    public var body: some View {
        if let content { content } else { Color.gray.opacity(0.3) }
    }

    /// Creates the view. The phase is always `.empty`.
    public init(
        url: URL?,
        scale: CGFloat = 1,
        transaction: Transaction = Transaction(),
        @ViewBuilder content: @escaping (AsyncImagePhase) -> Content
    ) { self.content = content(.empty) }

    public init<I: View, P: View>(
        url: URL?,
        scale: CGFloat = 1,
        @ViewBuilder content: @escaping (Image) -> I,
        @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P> {
        self.content = _ConditionalContent(.second(placeholder()))
    }
}

extension AsyncImage where Content == Image {
    public init(url: URL?, scale: CGFloat = 1) { content = nil }
}
