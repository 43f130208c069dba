/// A source of values over time.
public protocol Publisher<Output, Failure> {
    /// What it sends.
    associatedtype Output

    /// How it may fail; `Never` when it cannot.
    associatedtype Failure: Error

    /// Takes on a subscriber.
    ///
    /// Called by `subscribe(_:)`, which is what to use.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
    /// Takes on a subscriber.
    public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
        receive(subscriber: subscriber)
    }

    /// Passes everything on to a subject, until what is returned is let go of.
    public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        sink { completion in
            subject.send(completion: completion)
        } receiveValue: { value in
            subject.send(value)
        }
    }

    /// Calls the closures with what comes, until what is returned is let go of.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let sink = Subscribers.Sink<Output, Failure>(
            receiveCompletion: receiveCompletion,
            receiveValue: receiveValue
        )
        subscribe(sink)
        return AnyCancellable(sink)
    }

    /// The same source without its type.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publisher where Failure == Never {
    /// Calls the closure with each value, until what is returned is let go of.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink { _ in
        } receiveValue: { value in
            receiveValue(value)
        }
    }

    /// Writes each value to a property, and keeps its object as long as this goes on.
    public func assign<Root>(
        to keyPath: ReferenceWritableKeyPath<Root, Output>,
        on object: Root
    ) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Sets a `@Published` property to each value, as long as that property lives.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.storage.follow(self)
    }
}
