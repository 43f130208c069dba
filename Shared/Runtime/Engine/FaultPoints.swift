/// Places in production code at which a test may make the process fail, as a power cut would.
package struct FaultPoints: Sendable {
    package enum Point: String, Sendable, CaseIterable {
        case beforeCommit = "before_commit"
        case afterCommit = "after_commit"
    }

    private let action: @Sendable (Point) -> Void

    package init(_ action: @escaping @Sendable (Point) -> Void) { self.action = action }

    package static let none = FaultPoints { _ in }

    @inline(__always)
    package func hit(_ point: Point) { action(point) }
}
