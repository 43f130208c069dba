/// How many pixels a unit of length has on this display.
///
/// X knows one density for all monitors. Desktops write it as `Xft.dpi` (96 is 1) into the root's resources, where GNOME
/// and KDE keep it current; who sets `GDK_SCALE` by hand means the same. The larger of the two counts, in quarters, as
/// shields are drawn.
enum XScale {
    private static let bounds = 1.0...4.0

    static func of(resources: String, gdkScale: String?) -> Double {
        var scale = 1.0
        for line in resources.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == "Xft.dpi" else { continue }
            let number = parts[1].filter { $0 != " " && $0 != "\t" && $0 != "\r" }
            if let dpi = Double(String(number)), dpi.isFinite { scale = dpi / 96 }
        }
        if let number = gdkScale.flatMap(Double.init), number.isFinite { scale = max(scale, number) }
        let quarters = (min(max(scale, bounds.lowerBound), bounds.upperBound) * 4).rounded()
        return quarters / 4
    }
}
