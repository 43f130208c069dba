import STCPlatform

/// How much of the stack of this thread is left.
///
/// For what goes down into what somebody else has nested: a level may take much or little, so counting is not enough.
package struct ThreadStack {
    /// What is kept for whatever is called at the end.
    private static let reserve: UInt = 1024 * 1024
    /// Of a small stack a part is kept.
    private static let part: UInt = 4

    private let lowest: UInt

    /// Of the thread that it is made on; a stack that is not known counts as endless.
    package init() {
        var start: UInt = 0
        var size: UInt = 0
        lowest = st_thread_stack(&start, &size) == 0 ? start + min(Self.reserve, size / Self.part) : 0
    }

    @inline(never)
    package var hasRoom: Bool {
        var here: UInt8 = 0
        return withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) > lowest }
    }
}
