public import Foundation
import SwiftUICore

/// What is known of a chart to what lies over or behind it.
///
/// Where a chart will stand is only known when it is shown, so there is no value under a point.
public struct ChartProxy {
    /// How large the chart is, about.
    public var plotSize: CGSize { CGSize(width: 300, height: 200) }

    /// How large the chart is, about.
    public var plotAreaSize: CGSize { plotSize }

    /// Nil, because nothing stands anywhere yet.
    public func position<P: Plottable>(forX value: P) -> CGFloat? { nil }

    /// Nil, because nothing stands anywhere yet.
    public func position<P: Plottable>(forY value: P) -> CGFloat? { nil }

    /// Nil, because nothing stands anywhere yet.
    public func value<P: Plottable>(atX position: CGFloat, as type: P.Type = P.self) -> P? { nil }

    /// Nil, because nothing stands anywhere yet.
    public func value<P: Plottable>(atY position: CGFloat, as type: P.Type = P.self) -> P? { nil }
}
