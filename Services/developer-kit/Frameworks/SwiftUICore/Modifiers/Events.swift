public import Combine
public import Foundation

extension View {
    /// Runs an action once, when the view first appears on the page. The page is then evaluated again.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        lowered { page, content in
            let place = page.place
            if let action, place.slot(0) == nil {
                place.set(0, SeenBefore<Bool>(true))
                page.session.actions.append { action() }
            }
            try content()
        }
    }

    /// Never called, because views do not disappear from a page.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    public func onChange<V: Equatable>(
        of value: V,
        initial: Bool = false,
        _ action: @escaping (V, V) -> Void
    ) -> some View {
        lowered { page, content in
            let seen = page.place.slot(0) as? SeenBefore<V>
            if let before = seen?.value ?? (initial ? value : nil), initial && seen == nil || before != value
            {
                page.session.actions.append { action(before, value) }
            }
            page.place.set(0, SeenBefore(value))
            try content()
        }
    }

    public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping () -> Void)
        -> some View
    { onChange(of: value, initial: initial) { _, _ in action() } }

    public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some View {
        onChange(of: value, initial: false) { _, now in action(now) }
    }

    /// Handles the values that the publisher sends during the subscription. A page does not wait for later values.
    public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void)
        -> some View where P.Failure == Never
    {
        lowered { page, content in
            let place = page.place
            if place.slot(0) == nil {
                let heard = HeardValues<P.Output>()
                place.set(0, heard)
                let subscription = publisher.sink { heard.add($0) }
                let values = heard.end()
                subscription.cancel()
                if !values.isEmpty { page.session.actions.append { values.forEach(action) } }
            }
            try content()
        }
    }

    /// Runs a task once. The page waits at most two seconds for all tasks together.
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @isolated(any) @Sendable () async -> Void
    ) -> some View { task(id: true, priority: priority, action) }

    /// Runs a task again for each new value. The page waits at most two seconds for all tasks together.
    public func task<T: Equatable>(
        id value: T,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @isolated(any) @Sendable () async -> Void
    ) -> some View {
        lowered { page, content in
            if (page.place.slot(0) as? SeenBefore<T>)?.value != value {
                page.place.set(0, SeenBefore(value))
                page.session.tasks.append(PageTask(priority: priority) { await action() })
            }
            try content()
        }
    }

    // These actions are never called, because a page receives no touches.
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }

    public func onLongPressGesture(
        minimumDuration: Double = 0.5,
        maximumDistance: CGFloat = 10,
        perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View { self }

    public func onHover(perform action: @escaping (Bool) -> Void) -> some View { self }
    public func allowsHitTesting(_ enabled: Bool) -> some View { self }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}

/// The value in the previous evaluation.
private final class SeenBefore<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The values that a publisher sends during the subscription.
private final class HeardValues<Value>: @unchecked Sendable {
    // @unchecked: the lock guards all state.
    private static var valuesMax: Int { 1_000 }

    private let lock = NSLock()
    private var values: [Value] = []
    private var isOver = false

    func add(_ value: Value) {
        lock.withLock { if !isOver, values.count < Self.valuesMax { values.append(value) } }
    }

    func end() -> [Value] {
        lock.withLock {
            isOver = true
            return values
        }
    }
}
