import STDesktop

extension ScreenRect {
    /// So many units of length in pixels of an output, and no larger than it.
    static func scaled(_ width: Int, _ height: Int, _ output: DesktopOutput) -> ScreenRect {
        func pixels(_ units: Int, _ limit: Int) -> Int {
            let wanted = Double(units) * output.scale
            return min(limit, wanted < Double(limit) ? Int(wanted.rounded()) : limit)
        }
        return ScreenRect(
            x: 0,
            y: 0,
            width: pixels(width, output.frame.width),
            height: pixels(height, output.frame.height)
        )
    }
}
