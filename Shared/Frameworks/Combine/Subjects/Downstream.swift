/// A subscriber without its type.
struct Downstream<Input, Failure: Error> {
    let value: (Input) -> Subscribers.Demand
    let completion: (Subscribers.Completion<Failure>) -> Void

    init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        value = { subscriber.receive($0) }
        completion = { subscriber.receive(completion: $0) }
    }
}
