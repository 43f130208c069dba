/// A publisher that others put values into.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to all subscribers.
    func send(_ value: Output)

    /// Tells all subscribers that nothing more will come.
    func send(completion: Subscribers.Completion<Failure>)

    /// Gives the subject a subscription to live on.
    func send(subscription: any Subscription)
}

extension Subject {
    /// Asks for everything.
    public func send(subscription: any Subscription) { subscription.request(.unlimited) }
}

extension Subject where Output == Void {
    /// Sends word, without a value.
    public func send() { send(()) }
}
