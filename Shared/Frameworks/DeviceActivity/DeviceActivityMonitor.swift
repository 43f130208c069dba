public import Foundation

/// Is told when intervals begin and end and when thresholds are reached.
///
/// Make a class of your own from it, and start it with `ExtensionMain.run`. A method may begin asynchronous work: the next
/// callback comes when that is done.
open class DeviceActivityMonitor: NSObject {
    /// Called by your own `init()`.
    public override init() { super.init() }

    /// An interval of the activity has begun.
    open func intervalDidStart(for activity: DeviceActivityName) {}

    /// An interval of the activity is over, or monitoring was stopped in it.
    open func intervalDidEnd(for activity: DeviceActivityName) {}

    /// The use that the event counts has reached its threshold.
    open func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {}

    /// An interval of the activity begins in `warningTime`.
    open func intervalWillStartWarning(for activity: DeviceActivityName) {}

    /// The interval ends in `warningTime`.
    open func intervalWillEndWarning(for activity: DeviceActivityName) {}

    /// The use that the event counts reaches its threshold in `warningTime`.
    open func eventWillReachThresholdWarning(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName)
    {}
}
