public import SwiftUICore

/// A chart without what lies around it, for `chartPlotStyle`.
public struct ChartPlotContent: View, PrimitiveView {
    /// It does not consist of others.
    public typealias Body = Never

    let put: @MainActor (PageWriter) throws -> Void

    package func write(_ page: PageWriter) throws { try put(page) }
}
