/// Somebody who takes values from a publisher.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// What it takes.
    associatedtype Input

    /// The failures it can be told of.
    associatedtype Failure: Error

    /// It was taken on, and may ask for values now.
    func receive(subscription: any Subscription)

    /// A value it asked for; returns how many more it wants.
    func receive(_ input: Input) -> Subscribers.Demand

    /// Nothing more will come.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// The tie between one publisher and one subscriber.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Asks for so many more values.
    func request(_ demand: Subscribers.Demand)
}
