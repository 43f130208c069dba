package import STContracts
package import STPlatform

/// A shield and the window that it is for.
package struct ShieldScene {
    package var look: ShieldLook
    /// What people call the app or site.
    package var name: String?
    /// In pixels.
    package var width: Int
    package var height: Int
    /// Pixels of a unit of length.
    package var scale = 1.0
    package var appearance = DrawAppearance.light
    package var language: String?
    /// What lies behind.
    package var backdrop: Canvas?
    package var focus: ShieldButton?
    package var isMenuOpen = false

    package init(look: ShieldLook, name: String? = nil, width: Int, height: Int) {
        self.look = look
        self.name = name
        self.width = width
        self.height = height
    }

    package func check() throws(Problem) {
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
