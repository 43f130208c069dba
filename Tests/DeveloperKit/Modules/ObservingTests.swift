import Combine
import Foundation
import STFrameworkSamples
import Synchronization
import Testing

@Suite("Observable objects")
struct ObservingTests {
    final class Model: ObservableObject {
        @Published var count = 0
        @Published private(set) var name = "a"
        var plain = 0

        func rename(_ name: String) { self.name = name }
    }

    final class Heir: Parent {
        @Published var own = false
    }

    class Parent: ObservableObject {
        @Published var inherited = 0
    }

    final class OwnWord: ObservableObject {
        let objectWillChange = PassthroughSubject<Int, Never>()
        @Published var count = 0
    }

    @Test("An object announces each change of a published property before the change")
    func willChange() {
        let model = Model()
        var seen: [Int] = []
        let subscription = model.objectWillChange.sink { seen.append(model.count) }

        model.count = 1
        model.count += 1
        model.rename("b")
        model.plain = 5

        #expect(seen == [0, 1, 2])
        #expect(model.count == 2)
        subscription.cancel()
        model.count = 9
        #expect(seen.count == 3)
    }

    @Test(
        "An object announces inherited properties, and a custom objectWillChange sends only explicit values"
    )
    func kinds() {
        let heir = Heir()
        let own = OwnWord()
        var told = 0
        var words: [Int] = []
        let subscriptions = [
            heir.objectWillChange.sink { told += 1 }, own.objectWillChange.sink { words.append($0) },
        ]

        heir.inherited = 3
        heir.own = true
        own.count = 2
        own.objectWillChange.send(7)

        #expect(told == 2)
        #expect(words == [7])
        #expect(subscriptions.count == 2)
    }

    @Test("The publisher of a property sends the current value and each new value before it is stored")
    func projected() {
        let model = Model()
        var pairs: [[Int]] = []
        let subscription = model.$count.sink { pairs.append([$0, model.count]) }

        model.count = 4
        model.count = 5

        // The publisher sends the new value while the property still has the old one.
        #expect(pairs == [[0, 0], [4, 0], [5, 4]])
        withExtendedLifetime(subscription) {}
    }

    @Test("A property set by its own subscriber keeps the later value, which all subscribers receive last")
    func reentrant() {
        let model = Model()
        var first: [Int] = []
        var second: [Int] = []
        let subscriptions = [
            model.$count.sink { value in
                first.append(value)
                if value == 1 { model.count = 2 }
            },
            model.$count.sink { second.append($0) },
        ]

        model.count = 1

        #expect(first == [0, 1, 2])
        #expect(second == [0, 1, 2])
        #expect(model.count == 2)
        #expect(subscriptions.count == 2)
    }

    @Test("The operator assign(to:) sets a property from a publisher")
    func assigning() {
        let model = Model()
        let source = PassthroughSubject<Int, Never>()
        source.map { $0 * 10 }.assign(to: &model.$count)

        source.send(4)

        #expect(model.count == 40)
    }

    @Test("Observation retains no object, and reusing an address does not mix up objects")
    func lifetimes() {
        weak var gone: Model?
        for _ in 0..<1_000 {
            let model = Model()
            gone = model
            var told = 0
            let subscription = model.objectWillChange.sink { told += 1 }
            model.count = 1
            #expect(told == 1)
            withExtendedLifetime(subscription) {}
        }
        #expect(gone == nil)
    }

    @Test("Changes from several threads are announced one at a time, and the last announced value is stored")
    func threads() async {
        let model = Guarded()
        let log = Mutex<[Int]>([])
        let busy = Mutex(false)
        let overlaps = Mutex(0)
        let subscription = model.$count.sink { value in
            if busy.withLock({ now in
                defer { now = true }
                return now
            }) {
                overlaps.withLock { $0 += 1 }
            }
            log.withLock { $0.append(value) }
            busy.withLock { $0 = false }
        }

        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<500 { model.count = task * 500 + number + 1 }
                }
            }
        }

        let seen = log.withLock { $0 }
        #expect(seen.count == 2_001)
        #expect(Set(seen).count == 2_001)
        #expect(overlaps.withLock { $0 } == 0)
        #expect(seen.last == model.count)
        withExtendedLifetime(subscription) {}
    }

    /// For use from several threads, which the property supports.
    final class Guarded: ObservableObject, @unchecked Sendable {
        @Published var count = 0
    }

    @Test("A view model compiles with only DeviceActivity imported")
    func sample() {
        let model = UsageModel()
        model.minutes = 45
        model.minutes = 45
        model.minutes = 10

        #expect(model.seen == [30, 45, 10])
        #expect(model.threshold.minute == 10)
    }
}
