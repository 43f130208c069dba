package enum PageShapeKind: String, WireEnum {
    case rectangle
    case rounded
    case capsule
    case circle
    case ellipse
    case path
    case unknown
}

/// A shape with a fill and a stroke.
package struct PageShape: WireBody, Codable, Equatable {
    package var kind: PageShapeKind
    /// For `rounded`: the radius of the corners.
    package var radius: Double?
    /// For `path`: the path in the syntax of SVG, in the units of the page.
    package var path: String?
    package var fill: PagePaint?
    package var stroke: PagePaint?
    package var lineWidth: Double?
    /// The start of the drawn part of the outline, from 0 to 1. `trimTo` is its end.
    package var trimFrom: Double?
    package var trimTo: Double?

    package init(
        kind: PageShapeKind,
        radius: Double? = nil,
        path: String? = nil,
        fill: PagePaint? = nil,
        stroke: PagePaint? = nil,
        lineWidth: Double? = nil,
        trimFrom: Double? = nil,
        trimTo: Double? = nil
    ) {
        self.kind = kind
        self.radius = radius
        self.path = path
        self.fill = fill
        self.stroke = stroke
        self.lineWidth = lineWidth
        self.trimFrom = trimFrom
        self.trimTo = trimTo
    }
}

package enum PageImageKind: String, WireEnum {
    case system
    case data
    case unknown
}

/// An image on a page.
package struct PageImage: WireBody, Codable, Equatable {
    package var kind: PageImageKind
    /// For `system`: a name such as `hourglass`.
    package var name: String?
    /// For `data`: a PNG, JPEG or SVG in base64.
    package var data: String?
    /// For `data`: the width in pixels.
    package var width: Int?
    package var height: Int?
    /// The fit of the image into the available space: `fit`, `fill` or `stretch`. `nil` keeps the image's own size.
    package var scaling: String?
    package var color: PageColor?
    /// For `system`: the font of the letters beside the symbol, which determines its size.
    package var font: PageFont?

    package init(
        kind: PageImageKind,
        name: String? = nil,
        data: String? = nil,
        width: Int? = nil,
        height: Int? = nil,
        scaling: String? = nil,
        color: PageColor? = nil,
        font: PageFont? = nil
    ) {
        self.kind = kind
        self.name = name
        self.data = data
        self.width = width
        self.height = height
        self.scaling = scaling
        self.color = color
        self.font = font
    }
}

/// The modifiers of one node, applied from the inside out in the order of these properties.
package struct PageBox: WireBody, Codable, Equatable {
    package var padding: PageEdges?
    package var frame: PageFrame?
    package var background: PagePaint?
    /// The radius of the corners of background, border and content.
    package var radius: Double?
    /// The shape to which the content is clipped.
    package var clip: PageShapeKind?
    package var border: PagePaint?
    package var borderWidth: Double?
    package var shadow: Double?
    package var opacity: Double?
    package var offsetX: Double?
    package var offsetY: Double?
    /// The rotation in degrees.
    package var rotation: Double?
    package var scale: Double?

    package init(
        padding: PageEdges? = nil,
        frame: PageFrame? = nil,
        background: PagePaint? = nil,
        radius: Double? = nil,
        clip: PageShapeKind? = nil,
        border: PagePaint? = nil,
        borderWidth: Double? = nil,
        shadow: Double? = nil,
        opacity: Double? = nil,
        offsetX: Double? = nil,
        offsetY: Double? = nil,
        rotation: Double? = nil,
        scale: Double? = nil
    ) {
        self.padding = padding
        self.frame = frame
        self.background = background
        self.radius = radius
        self.clip = clip
        self.border = border
        self.borderWidth = borderWidth
        self.shadow = shadow
        self.opacity = opacity
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.rotation = rotation
        self.scale = scale
    }
}
