package import STContracts

/// What tells one picture of a shield from another.
package struct PictureKey: Sendable, Hashable {
    package var look: LookKey
    package var name: String?
    package var width: Int
    package var height: Int
    package var scale: Double
    package var appearance: DrawAppearance
    package var language: String
    package var focus: String?
    package var isMenuOpen: Bool
    package var more: String?
    package var note: String?
}
