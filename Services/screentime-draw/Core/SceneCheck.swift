import STContracts
import STPlatform

/// What can be a picture on a screen.
enum SceneCheck {
    static func check(width: Int, height: Int, scale: Double, appearance: DrawAppearance) throws(Problem) {
        let sides = DrawLimits.sideMin...DrawLimits.sideMax
        for (side, field) in [(width, "/width"), (height, "/height")] where !sides.contains(side) {
            throw Problem(
                "draw.bad_size",
                "A side of \(side) pixels cannot be drawn; choose from \(sides.lowerBound) to "
                    + "\(sides.upperBound).",
                field: field
            )
        }
        guard width * height <= DrawLimits.pixelsMax else {
            throw Problem(
                "draw.bad_size",
                "\(width)x\(height) is more than \(DrawLimits.pixelsMax) pixels; choose a smaller size.",
                field: "/width"
            )
        }
        guard scale >= DrawLimits.scaleMin, scale <= DrawLimits.scaleMax else {
            throw Problem(
                "draw.bad_scale",
                "The scale is \(scale), and can be from \(DrawLimits.scaleMin) to \(DrawLimits.scaleMax).",
                field: "/scale"
            )
        }
        guard appearance != .unknown else {
            throw Problem("draw.bad_appearance", "The appearance is light or dark.", field: "/appearance")
        }
    }
}
