public import Foundation
package import STContracts

/// Colours that turn into each other.
public struct Gradient: Hashable, Sendable {
    /// A colour at a place.
    public struct Stop: Hashable, Sendable {
        /// The colour.
        public var color: Color
        /// From 0 to 1.
        public var location: CGFloat

        /// A colour at a place.
        public init(color: Color, location: CGFloat) {
            self.color = color
            self.location = location
        }
    }

    /// The colours.
    public var stops: [Gradient.Stop]

    /// Colours at places.
    public init(stops: [Gradient.Stop]) { self.stops = stops }

    /// Colours that are equally far apart.
    public init(colors: [Color]) {
        let last = CGFloat(max(1, colors.count - 1))
        stops = colors.enumerated().map { Stop(color: $0.element, location: CGFloat($0.offset) / last) }
    }

    package func page(in environment: EnvironmentValues) -> [PageStop] {
        stops.map { PageStop(color: $0.color.page(in: environment), at: min(1, max(0, Double($0.location)))) }
    }
}

extension Gradient: ShapeStyle, PaintStyle {
    package func paint(in environment: EnvironmentValues) -> PagePaint {
        PagePaint(kind: .linear, stops: page(in: environment), from: [0.5, 0], to: [0.5, 1])
    }
}
