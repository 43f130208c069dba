extension View {
    /// What would happen when somebody does that; on a page nobody does.
    public func gesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all) -> some View { self }

    /// What would happen when somebody does that; on a page nobody does.
    public func gesture<T: Gesture>(_ gesture: T, isEnabled: Bool) -> some View { self }

    /// What would happen when somebody does that, too; on a page nobody does.
    public func simultaneousGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all)
        -> some View
    { self }

    /// What would happen first when somebody does that; on a page nobody does.
    public func highPriorityGesture<T: Gesture>(_ gesture: T, including mask: GestureMask = .all)
        -> some View
    { self }
}
