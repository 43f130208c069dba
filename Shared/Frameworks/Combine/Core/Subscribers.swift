/// What belongs to subscribers.
public enum Subscribers {
    /// How it ended.
    public enum Completion<Failure: Error> {
        /// All was sent.
        case finished

        /// It could not go on.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
