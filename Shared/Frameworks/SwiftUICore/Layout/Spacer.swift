public import Foundation
import STContracts

/// Takes the room that others leave.
public struct Spacer: View, PrimitiveView {
    /// It is nothing else.
    public typealias Body = Never

    /// So much at least; nil is as it suits.
    public var minLength: CGFloat?

    /// At least so much.
    nonisolated public init(minLength: CGFloat? = nil) { self.minLength = minLength }

    package func write(_ page: PageWriter) throws {
        try page.add(PageNode(kind: .spacer, length: Length.of(minLength)))
    }
}
