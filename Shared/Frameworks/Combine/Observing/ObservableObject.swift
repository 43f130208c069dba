/// An object that tells when it is about to change.
///
/// Its `@Published` properties do so by themselves.
public protocol ObservableObject: AnyObject {
    /// What tells it.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// Sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Sends before any of the `@Published` properties changes.
    public var objectWillChange: ObservableObjectPublisher { ObservedObjects.shared.publisher(of: self) }
}
