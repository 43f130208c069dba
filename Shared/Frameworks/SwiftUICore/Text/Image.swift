public import Foundation
import STContracts
public import UIKit

/// A picture.
public struct Image: Equatable, Sendable {
    /// How large a picture of the system is beside words.
    public enum Scale: Hashable, Sendable {
        /// Small.
        case small
        /// As it suits.
        case medium
        /// Large.
        case large
    }

    /// What becomes of a picture that is made larger.
    public enum ResizingMode: Hashable, Sendable {
        /// It is repeated; here it is stretched.
        case tile
        /// It is stretched.
        case stretch
    }

    /// Whether a picture is drawn as it is, or as a shape in one colour.
    public enum TemplateRenderingMode: Hashable, Sendable {
        /// As a shape.
        case template
        /// As it is.
        case original
    }

    /// How a picture is drawn in another size, for which who draws has its own way.
    public enum Interpolation: Hashable, Sendable {
        /// By its nearest points.
        case none
        /// Quickly.
        case low
        /// In between.
        case medium
        /// Well.
        case high
    }

    let picture: UIImage?
    /// What to say of it.
    let label: Text?
    var isResizable = false
    var isDecoration = false
    var isTemplate: Bool?

    private init(_ picture: UIImage?, label: Text?, isDecoration: Bool = false) {
        self.picture = picture
        self.label = label
        self.isDecoration = isDecoration
    }

    /// One of the system's, such as `hourglass`.
    public init(systemName: String) { self.init(UIImage(systemName: systemName), label: nil) }

    /// One of the system's, filled to a part.
    public init(systemName: String, variableValue: Double?) { self.init(systemName: systemName) }

    /// One of the app's bundle; nothing, with a line in the log, when there is none.
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(UIImage(named: name, in: bundle, with: nil), label: Text(verbatim: name))
    }

    /// One of the app's bundle, with what to say of it.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        self.init(UIImage(named: name, in: bundle, with: nil), label: label)
    }

    /// One of the app's bundle, only to be looked at.
    public init(decorative name: String, bundle: Bundle? = nil) {
        self.init(UIImage(named: name, in: bundle, with: nil), label: nil, isDecoration: true)
    }

    /// UIKit's.
    public init(uiImage image: UIImage) { self.init(image, label: nil) }

    /// So that it takes the room it gets.
    public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: Image.ResizingMode = .stretch)
        -> Image
    {
        var image = self
        image.isResizable = true
        return image
    }

    /// Drawn as it is, or as a shape.
    public func renderingMode(_ renderingMode: Image.TemplateRenderingMode?) -> Image {
        var image = self
        image.isTemplate = renderingMode.map { $0 == .template }
        return image
    }

    /// Drawn in another size in that way, which is left to who draws.
    public func interpolation(_ interpolation: Image.Interpolation) -> Image { self }

    /// With smooth edges, which it has anyway.
    public func antialiased(_ isAntialiased: Bool) -> Image { self }

    /// In shades, which are not drawn.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image { self }
}
