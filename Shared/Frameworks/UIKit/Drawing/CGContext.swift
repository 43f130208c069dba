public import Foundation
import STFoundationTypes

// The part of Core Graphics that icons of shields are drawn with. Nothing is drawn here: a context writes down what an app does as SVG,
// which the program that draws shields and reports understands.

public typealias CFArray = [Any]

/// A colour as it was when it was asked for.
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

    /// As attributes of `fill`, `stroke` or `stop`.
    func svg(_ name: String) -> String {
        let opacity = name == "stop-color" ? "stop-opacity" : name + "-opacity"
        return
            " \(name)=\"\(components.hex.prefix(7))\" \(opacity)=\"\(SVGNumber.text(CGFloat(components.alpha)))\""
    }
}

extension UIColor {
    public convenience init(cgColor: CGColor) { self.init(cgColor.components) }

    public var cgColor: CGColor { CGColor(components(.current)) }

    /// For what is filled from now on in the current context.
    public func setFill() { CGContext.current?.setFillColor(cgColor) }

    public func setStroke() { CGContext.current?.setStrokeColor(cgColor) }

    public func set() {
        setFill()
        setStroke()
    }
}

/// Every colour is sRGB here.
public final class CGColorSpace: Sendable {
    public static let sRGB = "sRGB"

    public init?(name: String) {}

    fileprivate init() {}
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }

public final class CGGradient: Sendable {
    fileprivate let stops: [(place: CGFloat, color: CGColor)]

    /// Nil where `colors` has something else than colours, or none.
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

    /// This one first, then the other.
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

    fileprivate var svg: String {
        isIdentity
            ? "" : " transform=\"matrix(\([a, b, c, d, tx, ty].map(SVGNumber.text).joined(separator: " ")))\""
    }
}

/// What an app draws, written down.
public final class CGContext {
    /// An icon of a shield may have half of it.
    private static let bytesMax = 256 * 1024
    private static let stack = "screentime.drawing"

    private struct State {
        var fill = CGColor(gray: 0, alpha: 1)
        var stroke = CGColor(gray: 0, alpha: 1)
        var lineWidth: CGFloat = 1
        var cap = CGLineCap.butt
        var join = CGLineJoin.miter
        var dash: [CGFloat] = []
        var alpha: CGFloat = 1
        var transform = CGAffineTransform.identity
        /// The clips that hold, the outermost first.
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
    /// The pictures that were drawn and nothing else.
    private var pictures: [UIImage]? = []

    init(_ size: CGSize, scale: CGFloat) {
        self.size = size
        self.scale = scale
    }

    // MARK: - The current one

    static var current: CGContext? { all.last }

    /// Each thread draws by itself.
    static var all: [CGContext] {
        get { Thread.current.threadDictionary[stack] as? [CGContext] ?? [] }
        set { Thread.current.threadDictionary[stack] = newValue }
    }

    /// What has been drawn until now. A picture that was only made smaller or larger is itself: shields give it its size.
    var image: UIImage {
        if let pictures, pictures.count == 1 { return pictures[0] }
        let (width, height) = (SVGNumber.text(size.width), SVGNumber.text(size.height))
        let text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">\
            <defs>\(definitions)</defs>\(body)</svg>
            """
        return UIImage(.drawing(Data(text.utf8), size), nil, scale: scale)
    }

    // MARK: - State

    public func saveGState() { saved.append(state) }

    public func restoreGState() { state = saved.popLast() ?? state }

    public func setFillColor(_ color: CGColor) { state.fill = color }

    public func setStrokeColor(_ color: CGColor) { state.stroke = color }

    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    public func setLineWidth(_ width: CGFloat) { state.lineWidth = width }

    public func setLineCap(_ cap: CGLineCap) { state.cap = cap }

    public func setLineJoin(_ join: CGLineJoin) { state.join = join }

    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) { state.dash = lengths }

    public func setAlpha(_ alpha: CGFloat) { state.alpha = alpha }

    public func translateBy(x: CGFloat, y: CGFloat) {
        state.transform = state.transform.translatedBy(x: x, y: y)
    }

    public func scaleBy(x: CGFloat, y: CGFloat) { state.transform = state.transform.scaledBy(x: x, y: y) }

    public func rotate(by angle: CGFloat) { state.transform = state.transform.rotated(by: angle) }

    public func concatenate(_ transform: CGAffineTransform) {
        state.transform = transform.concatenating(state.transform)
    }

    public var ctm: CGAffineTransform { state.transform }

    public func setShadow(
        offset: CGSize,
        blur: CGFloat,
        color: CGColor? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) { FrameworkLog.withoutEffect("setShadow of a drawing", "\(file):\(line)") }

    public func setBlendMode(_ mode: CGBlendMode, file: StaticString = #fileID, line: UInt = #line) {
        if mode != .normal { FrameworkLog.withoutEffect("setBlendMode of a drawing", "\(file):\(line)") }
    }

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

    public func addRect(_ rect: CGRect) { outline.addRect(rect) }

    public func addEllipse(in rect: CGRect) { outline.addEllipse(in: rect) }

    public func addPath(_ path: CGPath) { outline.addPath(path) }

    public func closePath() { outline.closeSubpath() }

    public func fillPath(using rule: CGPathFillRule = .winding) { draw(taken(), fills: true, rule) }

    public func strokePath() { draw(taken(), strokes: true) }

    public func clip(using rule: CGPathFillRule = .winding) {
        let path = taken()
        known += 1
        let outer = state.clips.last.map { " clip-path=\"url(#c\($0))\"" } ?? ""
        definitions +=
            "<clipPath id=\"c\(known)\"\(outer)><path d=\"\(path.outline.svg)\"\(Self.svg(rule, "clip-rule"))"
            + "\(state.transform.svg)/></clipPath>"
        state.clips.append(known)
        pictures = nil
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

    /// Only what was not drawn yet can be clear.
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
            paint += state.stroke.svg("stroke") + " stroke-width=\"\(SVGNumber.text(state.lineWidth))\""
            if state.cap != .butt { paint += " stroke-linecap=\"\(state.cap)\"" }
            if state.join != .miter { paint += " stroke-linejoin=\"\(state.join)\"" }
            if !state.dash.isEmpty {
                paint +=
                    " stroke-dasharray=\"\(state.dash.map(SVGNumber.text).joined(separator: " "))\""
            }
        }
        // What is filled with a clear colour is nothing, and does not stand beside a picture.
        let isClear = fills && !strokes && state.fill.alpha == 0
        if !isClear { add("<path d=\"\(path.outline.svg)\"\(paint)", "/>") }
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
        paint(gradient, "linearGradient", Array(places))
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
        paint(gradient, "radialGradient", Array(zip(["cx", "cy", "r", "fx", "fy", "fr"], values)))
    }

    private func paint(_ gradient: CGGradient, _ kind: String, _ places: [(String, CGFloat)]) {
        known += 1
        let line = places.map { " \($0)=\"\(SVGNumber.text($1))\"" }.joined()
        let stops = gradient.stops.map {
            "<stop offset=\"\(SVGNumber.text($0.place))\"\($0.color.svg("stop-color"))/>"
        }
        definitions +=
            "<\(kind) id=\"g\(known)\" gradientUnits=\"userSpaceOnUse\"\(line)>\(stops.joined())</\(kind)>"
        // Far beyond the picture, whatever the transform.
        add("<path d=\"M -99999 -99999 H 99999 V 99999 H -99999 Z\" fill=\"url(#g\(known))\"", "/>")
    }

    func draw(_ text: TypesetLine) {
        add("<text \(text.attributes)\(text.color.svg("fill"))", ">\(Self.escaped(text.words))</text>")
    }

    func draw(_ image: UIImage, in rect: CGRect, alpha: CGFloat = 1) {
        guard rect.width != 0, rect.height != 0 else { return }
        if alpha == 1, state.alpha == 1, state.transform.isIdentity {
            pictures?.append(image)
        } else {
            pictures = nil
        }
        guard let data = image.embedded else { return }
        let rest = pictures
        let places = [("x", rect.minX), ("y", rect.minY), ("width", rect.width), ("height", rect.height)]
        add(
            "<image preserveAspectRatio=\"none\" opacity=\"\(SVGNumber.text(alpha))\""
                + places.map { " \($0)=\"\(SVGNumber.text($1))\"" }.joined()
                + " href=\"\(data)\"",
            "/>"
        )
        pictures = rest
    }

    private func add(_ start: String, _ end: String) {
        pictures = nil
        guard body.utf8.count + start.utf8.count + end.utf8.count <= Self.bytesMax else {
            FrameworkLog.withoutEffect("what a drawing has beyond \(Self.bytesMax / 1024) KiB", "UIKit")
            return
        }
        let clip = state.clips.last.map { "<g clip-path=\"url(#c\($0))\">" }
        let alpha = state.alpha == 1 ? "" : " opacity=\"\(SVGNumber.text(state.alpha))\""
        body += "\(clip ?? "")\(start)\(alpha)\(state.transform.svg)\(end)\(clip == nil ? "" : "</g>")"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "<": result += "&lt;"
            case "&": result += "&amp;"
            // XML knows no others of them.
            case _ where scalar.value < 0x20: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
