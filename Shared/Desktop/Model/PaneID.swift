/// One window of our own on the screen.
package struct PaneID: Sendable, Hashable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}
