/// A key, as what it means to a list.
package enum PickKey: Sendable, Equatable {
    case text(Character)
    case space
    case enter
    case escape
    case interrupt
    case tab
    case backTab
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end
    case backspace
    case clear
}
