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
    /// What is offered below the buttons of the look.
    package var more: DrawMore?
    /// To be drawn on: of that size, and empty; nil makes one.
    package var canvas: Canvas?

    package init(look: ShieldLook, name: String? = nil, width: Int, height: Int) {
        self.look = look
        self.name = name
        self.width = width
        self.height = height
    }

    package func check() throws(Problem) {
        try SceneCheck.check(width: width, height: height, scale: scale, appearance: appearance)
    }
}
