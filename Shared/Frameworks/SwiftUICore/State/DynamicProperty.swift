/// A property of a view that lives longer than the view does.
public protocol DynamicProperty {
    /// Called before the view's body is asked for.
    mutating func update()
}

extension DynamicProperty {
    /// Does nothing.
    public mutating func update() {}
}
