import Combine
import Dispatch
import Synchronization
import Testing

@Suite("Publishers")
struct PublisherTests {
    /// A subscriber with the demand that the test sets.
    final class Asking: Subscriber {
        var seen: [Int] = []
        var ended = false
        var subscription: (any Subscription)?
        var more = Subscribers.Demand.none

        func receive(subscription: any Subscription) { self.subscription = subscription }

        func receive(_ input: Int) -> Subscribers.Demand {
            seen.append(input)
            return more
        }

        func receive(completion: Subscribers.Completion<Never>) { ended = true }
    }

    @Test("A PassthroughSubject sends as many values as were requested and drops the others")
    func demand() {
        let subject = PassthroughSubject<Int, Never>()
        let asking = Asking()
        subject.subscribe(asking)

        subject.send(1)
        asking.subscription?.request(.max(2))
        for value in 2...5 { subject.send(value) }

        #expect(asking.seen == [2, 3])
        asking.more = .max(1)
        asking.subscription?.request(.max(1))
        for value in 6...8 { subject.send(value) }
        #expect(asking.seen == [2, 3, 6, 7, 8])
        asking.subscription?.cancel()
        subject.send(9)
        #expect(asking.seen.count == 5)
    }

    @Test("A CurrentValueSubject keeps the latest value for a later request")
    func current() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let asking = Asking()
        subject.subscribe(asking)
        subject.send(2)
        subject.value = 3

        #expect(asking.seen == [])
        asking.subscription?.request(.max(1))
        #expect(asking.seen == [3])
        #expect(subject.value == 3)

        subject.send(completion: .finished)
        subject.send(4)
        #expect(asking.ended)
        #expect(subject.value == 3)
    }

    @Test("A value that a subscriber sends is delivered after the current value")
    func reentrant() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [String] = []
        let one = subject.sink { value in
            seen.append("one \(value)")
            if value == 1 { subject.send(2) }
            seen.append("one done \(value)")
        }

        subject.send(1)

        #expect(seen == ["one 1", "one done 1", "one 2", "one done 2"])
        one.cancel()
    }

    @Test("Publisher operators map, filter and drop values")
    func operators() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [String] = []
        let subscription =
            subject
            .filter { $0 > 0 }
            .removeDuplicates()
            .dropFirst()
            .compactMap { $0 == 4 ? nil : $0 }
            .map { "n\($0)" }
            .eraseToAnyPublisher()
            .sink { seen.append($0) }

        for value in [0, 1, 1, 2, 2, -1, 3, 4, 3] { subject.send(value) }

        #expect(seen == ["n2", "n3", "n3"])
        subscription.cancel()
    }

    @Test("Values that an operator drops do not use up demand")
    func skipping() {
        let subject = PassthroughSubject<Int, Never>()
        let asking = Asking()
        subject.filter { $0 % 2 == 0 }.subscribe(asking)
        asking.subscription?.request(.max(1))

        for value in [1, 3, 4, 6] { subject.send(value) }

        #expect(asking.seen == [4])
    }

    @Test("Just sends one value, and Empty sends none")
    func small() {
        var seen: [Int] = []
        var ends = 0
        _ = Just(5).sink { _ in
            ends += 1
        } receiveValue: {
            seen.append($0)
        }
        _ = Empty<Int, Never>().sink { _ in
            ends += 1
        } receiveValue: {
            seen.append($0)
        }
        let never = Empty<Int, Never>(completeImmediately: false).sink { _ in
            ends += 1
        } receiveValue: { _ in
        }

        #expect(seen == [5])
        #expect(ends == 2)
        never.cancel()
    }

    @Test("Releasing a subscription cancels it and releases its closure")
    func letGo() {
        final class Held {}
        let subject = PassthroughSubject<Int, Never>()
        weak var held: Held?
        var count = 0
        do {
            let strong = Held()
            held = strong
            var bag = Set<AnyCancellable>()
            subject.sink { _ in
                withExtendedLifetime(strong) { count += 1 }
            }.store(in: &bag)
            subject.send(1)
            #expect(held != nil)
        }
        subject.send(2)

        #expect(count == 1)
        #expect(held == nil)
    }

    @Test("The operator receive(on:) delivers values in order on its scheduler")
    func receiving() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "here")
        queue.setSpecific(key: key, value: true)
        let subject = PassthroughSubject<Int, Never>()
        let seen = Mutex<[Int]>([])
        var subscription: AnyCancellable?

        await withCheckedContinuation { continuation in
            subscription = subject.receive(on: queue).sink { _ in
                continuation.resume()
            } receiveValue: { value in
                if DispatchQueue.getSpecific(key: key) == true { seen.withLock { $0.append(value) } }
            }
            for value in 0..<100 { subject.send(value) }
            subject.send(completion: .finished)
        }

        #expect(seen.withLock { $0 } == Array(0..<100))
        subscription?.cancel()
    }

    @Test("The values of a publisher can be awaited")
    func awaiting() async {
        let subject = CurrentValueSubject<Int, Never>(1)
        var seen: [Int] = []
        for await value in subject.values {
            seen.append(value)
            if value == 3 { break }
            subject.send(value + 1)
        }

        #expect(seen == [1, 2, 3])
    }

    @Test("The operator assign(to:on:) writes to an object")
    func assigning() {
        final class Target { var value = 0 }
        let target = Target()
        let subscription = Just(8).assign(to: \.value, on: target)

        #expect(target.value == 8)
        subscription.cancel()
    }
}
