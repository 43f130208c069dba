package import STContracts

/// A style of this module's, which knows what it is on a page.
package protocol PaintStyle {
    func paint(in environment: EnvironmentValues) -> PagePaint
}

/// What styles are on a page.
package enum Paint {
    /// A style may be made of another one, and that of another.
    private static let depthMax = 16

    package static func of<S: ShapeStyle>(_ style: S, _ environment: EnvironmentValues, depth: Int = 0)
        -> PagePaint
    {
        if let known = style as? any PaintStyle { return known.paint(in: environment) }
        guard S.Resolved.self != Never.self, depth < depthMax else {
            return PagePaint(kind: .color, color: Color.primary.page(in: environment))
        }
        return of(style.resolve(in: environment), environment, depth: depth + 1)
    }
}

extension PagePaint {
    /// The one colour it is, where only one can be shown.
    package var single: PageColor? {
        color ?? stops.flatMap { $0.isEmpty ? nil : $0[$0.count / 2].color }
    }
}
