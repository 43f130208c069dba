/// What a box has, from the inside out.
///
/// A modifier goes into the box that is there when everything the box has lies further in; else into a new one around
/// it.
package enum PageLayer: Int, Comparable {
    case padding
    case frame
    case background
    case shape
    case border
    case shadow
    case opacity
    case offset
    case rotation
    case scale

    package static func < (a: PageLayer, b: PageLayer) -> Bool { a.rawValue < b.rawValue }
}
