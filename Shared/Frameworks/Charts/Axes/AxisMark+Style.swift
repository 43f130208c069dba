public import Foundation
public import SwiftUICore

extension AxisMark {
    /// In that colour; here axes are in the colours of the page.
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some AxisMark { self }

    /// In those letters; here axes are in those of the page.
    public func font(_ font: Font?) -> some AxisMark { self }

    /// Moved by so much; here everything stands at its value.
    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some AxisMark { self }
}
