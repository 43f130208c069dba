public import Dispatch
public import Foundation

/// Where values can be handed over: a queue, a run loop.
public protocol Scheduler {
    /// What may be said about one piece of work.
    associatedtype SchedulerOptions

    /// Does something there, soon.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
}

/// Work on its way to another thread.
private struct Parcel: @unchecked Sendable {
    // @unchecked: made by one thread and run by one other, which is what the caller asked for.
    let action: () -> Void
}

extension DispatchQueue: Scheduler {
    /// Options of a queue: there are none here.
    public struct SchedulerOptions: Sendable {
        /// The usual ones.
        public init() {}
    }

    /// Does it after what the queue has to do already.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let parcel = Parcel(action: action)
        async { parcel.action() }
    }
}

extension RunLoop: Scheduler {
    /// Options of a run loop: there are none.
    public struct SchedulerOptions: Sendable {
        /// The usual ones.
        public init() {}
    }

    /// Does it at the loop's next turn.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let parcel = Parcel(action: action)
        perform { parcel.action() }
    }
}

extension OperationQueue: Scheduler {
    /// Options of a queue: there are none here.
    public struct SchedulerOptions: Sendable {
        /// The usual ones.
        public init() {}
    }

    /// Adds it to the queue.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let parcel = Parcel(action: action)
        addOperation { parcel.action() }
    }
}
