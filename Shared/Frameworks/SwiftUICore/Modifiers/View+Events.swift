public import Combine
public import Foundation

extension View {
    /// Does something once, when this is on the page for the first time; then all is looked at again.
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

    /// What would happen when it goes; a page stays.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Does something when a value is another one than at the last look.
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

    /// Does something when a value is another one than at the last look.
    public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping () -> Void)
        -> some View
    { onChange(of: value, initial: initial) { _, _ in action() } }

    /// Does something when a value is another one than at the last look.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some View {
        onChange(of: value, initial: false) { _, now in action(now) }
    }

    /// Does something with what a publisher has to say at once; a page does not wait for more.
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

    /// Does something in the background, once; the page waits a little for it.
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @isolated(any) @Sendable () async -> Void
    ) -> some View { task(id: true, priority: priority, action) }

    /// Does something in the background, again with each other value; the page waits a little for it.
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

    /// What would happen when it is pressed; on a page nothing is.
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }

    /// What would happen when it is pressed for a while; on a page nothing is.
    public func onLongPressGesture(
        minimumDuration: Double = 0.5,
        maximumDistance: CGFloat = 10,
        perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View { self }

    /// What would happen when somebody points at it; on a page nothing does.
    public func onHover(perform action: @escaping (Bool) -> Void) -> some View { self }

    /// Whether it can be pressed; on a page nothing can.
    public func allowsHitTesting(_ enabled: Bool) -> some View { self }

    /// What would happen when an address is opened; a page opens none.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
}
