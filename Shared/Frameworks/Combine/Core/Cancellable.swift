/// Something that can be called off.
///
/// Calling it off twice is the same as once.
public protocol Cancellable {
    /// Calls it off.
    func cancel()
}

extension Cancellable {
    /// Keeps this in a set, which calls it off when it is let go of.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(kept) }

    /// Keeps this in a collection, which calls it off when it is let go of.
    public func store<C: RangeReplaceableCollection>(in collection: inout C)
    where C.Element == AnyCancellable {
        collection.append(kept)
    }

    private var kept: AnyCancellable { (self as? AnyCancellable) ?? AnyCancellable(self) }
}
