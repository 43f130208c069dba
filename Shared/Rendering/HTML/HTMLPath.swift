/// Outlines as SVG writes them.
enum HTMLPath {
    static func text(_ path: [ChartStep]) -> String {
        func at(_ point: ChartPoint) -> String {
            HTMLNumber.text(point.x) + " " + HTMLNumber.text(point.y)
        }
        return path.map { step in
            switch step {
            case .move(let point): "M" + at(point)
            case .line(let point): "L" + at(point)
            case .curve(let out, let into, let point): "C" + at(out) + " " + at(into) + " " + at(point)
            case .close: "Z"
            }
        }.joined()
    }
}
