public import Foundation
import STFoundationTypes

// The part of Core Graphics with which apps draw the icons of shields. A context draws no pixels. It records the drawing as SVG
// for the drawing program of shields and reports.

public typealias CFArray = [Any]

/// A colour that was resolved when it was requested.
public final class CGColor: Sendable, Equatable {
    let components: ColorComponents

    init(_ components: ColorComponents) { self.components = components }

    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(ColorComponents(Double(red), Double(green), Double(blue), Double(alpha)))
    }

    public convenience init(gray: CGFloat, alpha: CGFloat) {
        self.init(red: gray, green: gray, blue: gray, alpha: alpha)
    }

    public var alpha: CGFloat { CGFloat(components.alpha) }

    public func copy(alpha: CGFloat) -> CGColor? { CGColor(components.with(alpha: Double(alpha))) }

    public static func == (one: CGColor, other: CGColor) -> Bool { one.components == other.components }

    /// Returns the colour as attributes of a `fill`, `stroke` or `stop`.
    func svg(_ name: String) -> String {
        let opacity = name == "stop-color" ? "stop-opacity" : name + "-opacity"
        return
            " \(name)=\"\(components.hex.prefix(7))\" \(opacity)=\"\(SVGNumber.text(CGFloat(components.alpha)))\""
    }
}

extension UIColor {
    public convenience init(cgColor: CGColor) { self.init(cgColor.components) }

    public var cgColor: CGColor { CGColor(components(.current)) }

    /// Sets the fill colour of the current context.
    public func setFill() { CGContext.current?.setFillColor(cgColor) }

    public func setStroke() { CGContext.current?.setStrokeColor(cgColor) }

    public func set() {
        setFill()
        setStroke()
    }
}

/// A colour space. Every colour is in sRGB.
public final class CGColorSpace: Sendable {
    public static let sRGB = "sRGB"

    public init?(name: String) {}

    fileprivate init() {}
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

public final class CGGradient: Sendable {
    fileprivate let stops: [(place: CGFloat, color: CGColor)]

    /// Creates a gradient. Returns `nil` if `colors` is empty or contains anything other than colours.
    public init?(colorsSpace space: CGColorSpace?, colors: CFArray, locations: [CGFloat]?) {
        let known = colors.compactMap { $0 as? CGColor }
        guard !known.isEmpty, known.count == colors.count, locations?.count ?? known.count == known.count
        else { return nil }
        let even = known.indices.map { CGFloat($0) / CGFloat(max(1, known.count - 1)) }
        stops = zip(locations ?? even, known).map { ($0, $1) }
    }
}

public struct CGGradientDrawingOptions: OptionSet, Sendable {
    public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
    public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)

    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public enum CGLineCap: Int32, Sendable {
    case butt, round, square
}

public enum CGLineJoin: Int32, Sendable {
    case miter, round, bevel
}

public enum CGPathFillRule: Int, Sendable {
    case winding, evenOdd
}

public enum CGPathDrawingMode: Int32, Sendable {
    case fill, eoFill, stroke, fillStroke, eoFillStroke
}

public enum CGBlendMode: Int32, Sendable {
    case normal, multiply, screen, overlay, darken, lighten
    case clear = 16
    case copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
}

public struct CGAffineTransform: Equatable, Sendable {
    public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    public var a, b, c, d, tx, ty: CGFloat

    public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    public init(translationX x: CGFloat, y: CGFloat) { self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y) }

    public init(scaleX x: CGFloat, y: CGFloat) { self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

    public init(rotationAngle angle: CGFloat) {
        self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
    }

    public var isIdentity: Bool { self == .identity }

    public func translatedBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(translationX: x, y: y).concatenating(self)
    }

    public func scaledBy(x: CGFloat, y: CGFloat) -> CGAffineTransform {
        CGAffineTransform(scaleX: x, y: y).concatenating(self)
    }

    public func rotated(by angle: CGFloat) -> CGAffineTransform {
        CGAffineTransform(rotationAngle: angle).concatenating(self)
    }

    /// Returns a transform that applies this transform first, then the other one.
    public func concatenating(_ next: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(
            a: a * next.a + b * next.c,
            b: a * next.b + b * next.d,
            c: c * next.a + d * next.c,
            d: c * next.b + d * next.d,
            tx: tx * next.a + ty * next.c + next.tx,
            ty: tx * next.b + ty * next.d + next.ty
        )
    }

    /// Returns the inverse transform. Returns the transform unchanged if it has no inverse.
    public func inverted() -> CGAffineTransform {
        let size = a * d - b * c
        guard size != 0, size.isFinite else { return self }
        return CGAffineTransform(
            a: d / size,
            b: -b / size,
            c: -c / size,
            d: a / size,
            tx: (c * ty - d * tx) / size,
            ty: (b * tx - a * ty) / size
        )
    }

    fileprivate var svg: String {
        let numbers = [a, b, c, d, tx, ty].map { SVGNumber.text($0, parts: SVGNumber.fine) }
        return isIdentity ? "" : " transform=\"matrix(\(numbers.joined(separator: " ")))\""
    }
}

/// A recorder of an app's drawing.
public final class CGContext {
    /// The maximum size of a drawing, which is half of the maximum for an icon of a shield.
    private static let bytesMax = 256 * 1024
    private static let sideMax: CGFloat = 10_000
    private static let stack = "screentime.drawing"

    private struct State {
        var fill = CGColor(gray: 0, alpha: 1)
        var stroke = CGColor(gray: 0, alpha: 1)
        var lineWidth: CGFloat = 1
        var cap = CGLineCap.butt
        var join = CGLineJoin.miter
        var miterLimit: CGFloat = 10
        var dash: (phase: CGFloat, lengths: [CGFloat]) = (0, [])
        var alpha: CGFloat = 1
        var blend = CGBlendMode.normal
        var transform = CGAffineTransform.identity
        /// The active clipping paths, outermost first.
        var clips: [Int] = []
    }

    let size: CGSize
    let scale: CGFloat
    private var state = State()
    private var saved: [State] = []
    private var outline = CGMutablePath()
    private var body = ""
    private var definitions = ""
    private var known = 0
    /// The image that fills the whole context, if nothing else was drawn.
    private var only: UIImage?

    init(_ size: CGSize, scale: CGFloat) {
        func side(_ value: CGFloat) -> CGFloat { value.isFinite ? max(0, min(Self.sideMax, value)) : 0 }
        self.size = CGSize(width: side(size.width), height: side(size.height))
        self.scale = scale > 0 && scale.isFinite ? scale : 1
    }

    // MARK: - The current one

    static var current: CGContext? { all.last }

    /// The contexts of the current thread. Each thread draws independently.
    static var all: [CGContext] {
        get { Thread.current.threadDictionary[stack] as? [CGContext] ?? [] }
        set { Thread.current.threadDictionary[stack] = newValue }
    }

    /// The drawing so far. If only one image was drawn, and only its size changed, the result is that image. Shields set their
    /// own size.
    var image: UIImage {
        if let only { return UIImage(of: only, size) }
        let (width, height) = (SVGNumber.text(size.width), SVGNumber.text(size.height))
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">\
            <defs>\(definitions)</defs>\(body)</svg>
            """
        return UIImage(.drawing(Data(text.utf8), size), nil, scale: scale)
    }

    // MARK: - State

    public func saveGState() { saved.append(state) }

    public func restoreGState() {
        guard let before = saved.popLast() else { return }
        move(to: before.transform)
        state = before
    }

    /// Changes the transform. The points of the current path keep their position.
    private func move(to transform: CGAffineTransform) {
        if !outline.isEmpty {
            let change = state.transform.concatenating(transform.inverted())
            let moved = CGMutablePath()
            moved.addPath(outline, transform: change)
            outline = moved
        }
        state.transform = transform
    }

    public func setFillColor(_ color: CGColor) { state.fill = color }

    public func setStrokeColor(_ color: CGColor) { state.stroke = color }

    public func setFillColor(gray: CGFloat, alpha: CGFloat) { state.fill = CGColor(gray: gray, alpha: alpha) }

    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) {
        state.stroke = CGColor(gray: gray, alpha: alpha)
    }

    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    public func setLineWidth(_ width: CGFloat) { state.lineWidth = width }

    public func setLineCap(_ cap: CGLineCap) { state.cap = cap }

    public func setLineJoin(_ join: CGLineJoin) { state.join = join }

    public func setMiterLimit(_ limit: CGFloat) { state.miterLimit = limit }

    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) { state.dash = (phase, lengths) }

    public func setAlpha(_ alpha: CGFloat) { state.alpha = alpha }

    public func translateBy(x: CGFloat, y: CGFloat) { move(to: state.transform.translatedBy(x: x, y: y)) }

    public func scaleBy(x: CGFloat, y: CGFloat) { move(to: state.transform.scaledBy(x: x, y: y)) }

    public func rotate(by angle: CGFloat) { move(to: state.transform.rotated(by: angle)) }

    public func concatenate(_ transform: CGAffineTransform) {
        move(to: transform.concatenating(state.transform))
    }

    public var ctm: CGAffineTransform { state.transform }

    public func setShadow(
        offset: CGSize,
        blur: CGFloat,
        color: CGColor? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) { FrameworkLog.withoutEffect("setShadow of a drawing", "\(file):\(line)") }

    /// Sets the blend mode. Drawing in an unsupported mode has no effect. If the drawing is a single image, `sourceIn` and
    /// `sourceAtop` set its colour.
    public func setBlendMode(_ mode: CGBlendMode) { state.blend = mode }

    public func setShouldAntialias(_ should: Bool) {}

    // MARK: - Paths

    public func beginPath() { outline = CGMutablePath() }

    public func move(to point: CGPoint) { outline.move(to: point) }

    public func addLine(to point: CGPoint) { outline.addLine(to: point) }

    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        outline.addQuadCurve(to: end, control: control)
    }

    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        outline.addCurve(to: end, control1: control1, control2: control2)
    }

    public func addArc(
        center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        outline.addArc(
            center: center,
            radius: radius,
            startAngle: startAngle,
            endAngle: endAngle,
            clockwise: clockwise
        )
    }

    public func addLines(between points: [CGPoint]) { outline.addLines(between: points) }

    public func addRect(_ rect: CGRect) { outline.addRect(rect) }

    public func addEllipse(in rect: CGRect) { outline.addEllipse(in: rect) }

    public func addPath(_ path: CGPath) { outline.addPath(path) }

    public func closePath() { outline.closeSubpath() }

    public func fillPath(using rule: CGPathFillRule = .winding) { draw(taken(), fills: true, rule) }

    public func drawPath(using mode: CGPathDrawingMode) {
        let rule: CGPathFillRule = mode == .eoFill || mode == .eoFillStroke ? .evenOdd : .winding
        draw(taken(), fills: mode != .stroke, strokes: ![.fill, .eoFill].contains(mode), rule)
    }

    public func strokePath() { draw(taken(), strokes: true) }

    public func clip(using rule: CGPathFillRule = .winding) {
        let path = taken()
        known += 1
        let outer = state.clips.last.map { " clip-path=\"url(#c\($0))\"" } ?? ""
        define(
            "<clipPath id=\"c\(known)\"\(outer)><path d=\"\(path.outline.svg(parts: SVGNumber.fine))\""
                + "\(Self.svg(rule, "clip-rule"))\(state.transform.svg)/></clipPath>"
        )
        state.clips.append(known)
    }

    public func clip(to rect: CGRect) {
        beginPath()
        addRect(rect)
        clip()
    }

    public func fill(_ rect: CGRect) { draw(CGPath(rect: rect, transform: nil), fills: true) }

    public func fillEllipse(in rect: CGRect) { draw(CGPath(ellipseIn: rect, transform: nil), fills: true) }

    public func stroke(_ rect: CGRect) { draw(CGPath(rect: rect, transform: nil), strokes: true) }

    public func strokeEllipse(in rect: CGRect) {
        draw(CGPath(ellipseIn: rect, transform: nil), strokes: true)
    }

    public func stroke(_ rect: CGRect, width: CGFloat) {
        saveGState()
        setLineWidth(width)
        stroke(rect)
        restoreGState()
    }

    /// Has no effect, because recorded drawing cannot be erased.
    public func clear(_ rect: CGRect, file: StaticString = #fileID, line: UInt = #line) {
        if !body.isEmpty { FrameworkLog.withoutEffect("clear of a drawing", "\(file):\(line)") }
    }

    private func taken() -> CGPath {
        defer { beginPath() }
        return outline
    }

    func draw(_ path: CGPath, fills: Bool = false, strokes: Bool = false, _ rule: CGPathFillRule = .winding) {
        var paint = fills ? state.fill.svg("fill") + Self.svg(rule, "fill-rule") : " fill=\"none\""
        if strokes {
            let width = SVGNumber.text(state.lineWidth, parts: SVGNumber.fine)
            let limit = SVGNumber.text(max(1, state.miterLimit))
            paint += state.stroke.svg("stroke") + " stroke-width=\"\(width)\" stroke-miterlimit=\"\(limit)\""
            if state.cap != .butt { paint += " stroke-linecap=\"\(state.cap)\"" }
            if state.join != .miter { paint += " stroke-linejoin=\"\(state.join)\"" }
            if !state.dash.lengths.isEmpty {
                let lengths = state.dash.lengths.map(SVGNumber.text).joined(separator: " ")
                paint += " stroke-dasharray=\"\(lengths)\""
                paint += " stroke-dashoffset=\"\(SVGNumber.text(state.dash.phase))\""
            }
        }
        // A fill with a clear colour draws nothing, so it does not end the drawing of a single image.
        let isClear = fills && !strokes && state.fill.alpha == 0
        if !isClear {
            add(
                "<path d=\"\(path.outline.svg(parts: SVGNumber.fine))\"\(paint)",
                "/>",
                tint: fills ? state.fill : nil
            )
        }
    }

    private static func svg(_ rule: CGPathFillRule, _ name: String) -> String {
        rule == .evenOdd ? " \(name)=\"evenodd\"" : ""
    }

    // MARK: - Gradients, words and pictures

    public func drawLinearGradient(
        _ gradient: CGGradient,
        start: CGPoint,
        end: CGPoint,
        options: CGGradientDrawingOptions
    ) {
        let places = zip(["x1", "y1", "x2", "y2"], [start.x, start.y, end.x, end.y])
        paint(gradient, kind: "linearGradient", places: Array(places), options: options)
    }

    public func drawRadialGradient(
        _ gradient: CGGradient,
        startCenter: CGPoint,
        startRadius: CGFloat,
        endCenter: CGPoint,
        endRadius: CGFloat,
        options: CGGradientDrawingOptions
    ) {
        let values = [endCenter.x, endCenter.y, endRadius, startCenter.x, startCenter.y, startRadius]
        let places = zip(["cx", "cy", "r", "fx", "fy", "fr"], values)
        paint(gradient, kind: "radialGradient", places: Array(places), options: options)
    }

    private func paint(
        _ gradient: CGGradient,
        kind: String,
        places: [(String, CGFloat)],
        options: CGGradientDrawingOptions
    ) {
        known += 1
        let line = places.map { " \($0)=\"\(SVGNumber.text($1))\"" }.joined()
        var stops = gradient.stops.sorted { $0.place < $1.place }
        // A gradient continues beyond its ends only if the options request it.
        if !options.contains(.drawsBeforeStartLocation), let first = stops.first {
            stops.insert((0, first.color.copy(alpha: 0) ?? first.color), at: 0)
        }
        if !options.contains(.drawsAfterEndLocation), let last = stops.last {
            stops.append((1, last.color.copy(alpha: 0) ?? last.color))
        }
        let colors = stops.map {
            "<stop offset=\"\(SVGNumber.text($0.place, parts: 10_000))\"\($0.color.svg("stop-color"))/>"
        }
        define(
            "<\(kind) id=\"g\(known)\" gradientUnits=\"userSpaceOnUse\"\(line)>\(colors.joined())</\(kind)>"
        )
        // The rectangle exceeds the image, whatever the transform.
        add("<path d=\"M -99999 -99999 H 99999 V 99999 H -99999 Z\" fill=\"url(#g\(known))\"", "/>")
    }

    func draw(_ text: TypesetLine) {
        add("<text \(text.attributes)\(text.color.svg("fill"))", ">\(Self.escaped(text.words))</text>")
    }

    func draw(_ image: UIImage, in rect: CGRect, alpha: CGFloat = 1) {
        let isFirst = body.isEmpty && only == nil && state.clips.isEmpty
        let fills = state.transform.isIdentity && rect == CGRect(origin: .zero, size: size)
        // The rectangle has the proportions of the image, or the image has no size.
        let isWhole = abs(image.size.width * size.height - image.size.height * size.width) < 1
        if isFirst, fills, isWhole, alpha == 1, state.alpha == 1 {
            only = image
            return
        }
        guard let part = image.part(in: rect, prefix: "p\(known)") else { return }
        known += 1
        add(part.start, part.end, alpha: alpha)
    }

    private func define(_ text: String) {
        if body.utf8.count + definitions.utf8.count + text.utf8.count <= Self.bytesMax { definitions += text }
    }

    /// Adds an element. `tint` is the colour that a blend mode may give to an image.
    private func add(_ start: String, _ end: String, alpha: CGFloat = 1, tint: CGColor? = nil) {
        if let picture = only {
            if [.sourceIn, .sourceAtop].contains(state.blend), let tint {
                only = picture.withTintColor(UIColor(cgColor: tint), renderingMode: .alwaysTemplate)
                return
            }
            // The image is no longer the only element of the drawing.
            only = nil
            let before = state
            state = State()
            if let part = picture.part(in: CGRect(origin: .zero, size: size), prefix: "p\(known)") {
                known += 1
                add(part.start, part.end)
            }
            state = before
        }
        let mode: String
        switch state.blend {
        case .normal, .copy: mode = ""
        case .multiply, .screen, .overlay, .darken, .lighten:
            mode = " style=\"mix-blend-mode:\(state.blend)\""
        default:
            return FrameworkLog.withoutEffect("what a drawing has in blend mode \(state.blend)", "UIKit")
        }
        guard body.utf8.count + definitions.utf8.count + start.utf8.count + end.utf8.count <= Self.bytesMax
        else {
            return FrameworkLog.withoutEffect(
                "what a drawing has beyond \(Self.bytesMax / 1024) KiB",
                "UIKit"
            )
        }
        let clip = state.clips.last.map { "<g clip-path=\"url(#c\($0))\">" }
        let opacity = alpha * state.alpha
        let seen = opacity == 1 ? "" : " opacity=\"\(SVGNumber.text(opacity))\""
        body += "\(clip ?? "")\(start)\(seen)\(mode)\(state.transform.svg)\(end)\(clip == nil ? "" : "</g>")"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            // XML does not allow these characters.
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
