import STContracts
import STRendering

/// Which colour stands for what.
struct StyleScale {
    /// In the order of the legend; empty is as they come.
    var domain: [PlotDatum] = []
    /// Those of the domain; where there are fewer they begin again.
    var range: [PageColor] = []

    private func color(_ number: Int) -> PageColor {
        range.isEmpty ? ChartPalette.color(number) : range[number % range.count]
    }

    /// The series of marks: those of the domain that have one, then the others as they come.
    func series(of found: [PlotDatum]) -> [PageSeries] {
        var names = Set<String>()
        let order = (domain.isEmpty ? [] : domain.filter(Set(found).contains)) + found
        return order.filter { names.insert($0.name).inserted }.enumerated().map { index, datum in
            let number = domain.firstIndex(of: datum) ?? index
            return PageSeries(name: datum.name, color: color(number))
        }
    }
}
