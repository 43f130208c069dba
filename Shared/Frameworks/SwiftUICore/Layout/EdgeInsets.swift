public import Foundation
package import STContracts

/// Lengths at the four sides.
public struct EdgeInsets: Equatable, Sendable {
    /// At the top.
    public var top: CGFloat
    /// Where lines begin.
    public var leading: CGFloat
    /// At the bottom.
    public var bottom: CGFloat
    /// Where lines end.
    public var trailing: CGFloat

    /// These.
    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// None.
    public init() { self.init(top: 0, leading: 0, bottom: 0, trailing: 0) }

    init(_ edges: Edge.Set, _ length: CGFloat) {
        self.init(
            top: edges.contains(.top) ? length : 0,
            leading: edges.contains(.leading) ? length : 0,
            bottom: edges.contains(.bottom) ? length : 0,
            trailing: edges.contains(.trailing) ? length : 0
        )
    }

    package var page: PageEdges {
        PageEdges(
            top: Length.of(top),
            leading: Length.of(leading),
            bottom: Length.of(bottom),
            trailing: Length.of(trailing)
        )
    }
}
