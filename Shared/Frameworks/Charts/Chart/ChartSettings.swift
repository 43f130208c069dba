import STContracts
import SwiftUICore

/// What the modifiers around a chart say about it.
struct ChartSettings {
    var x = AxisSettings()
    var y = AxisSettings()
    var legend: PageLegend?
    var styles = StyleScale()
    var selection: ChartSelection?
    var overlay: (@MainActor (ChartProxy) -> AnyView)?
    var background: (@MainActor (ChartProxy) -> AnyView)?
    var plotStyle: (@MainActor (ChartPlotContent) -> AnyView)?
}

extension EnvironmentValues {
    private struct ChartKey: EnvironmentKey {
        static var defaultValue: ChartSettings { ChartSettings() }
    }

    var chart: ChartSettings {
        get { self[ChartKey.self] }
        set { self[ChartKey.self] = newValue }
    }
}

extension View {
    /// What is nearer to the chart has the last word.
    func charted(_ change: @escaping @MainActor (inout ChartSettings) -> Void) -> some View {
        changed { change(&$0.chart) }
    }
}
