/// How a change is shown; nothing moves on a page.
public struct Transaction: Sendable {
    /// The movement, which is not seen.
    public var animation: Animation?

    /// Whether there is none.
    public var disablesAnimations = false

    /// Whether more changes follow at once.
    public var isContinuous = false

    /// Without a movement.
    public init() {}

    /// With a movement.
    public init(animation: Animation?) { self.animation = animation }
}

/// Does what the closure says; nothing moves on a page.
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows
    -> Result
{
    try body()
}
