public import Foundation
public import STClientLink
import STContracts
import STPlatform

/// Receives callbacks when intervals begin or end and when thresholds are reached.
///
/// Subclass it, and start it with `ExtensionMain.run`. A method may start asynchronous work. The next callback is made after that
/// work has ended.
open class DeviceActivityMonitor: NSObject {
    public override init() { super.init() }

    /// Called after an interval of the activity has begun.
    open func intervalDidStart(for activity: DeviceActivityName) {}

    /// Called after an interval of the activity has ended, or after monitoring was stopped during an interval.
    open func intervalDidEnd(for activity: DeviceActivityName) {}

    /// Called after the use counted by the event has reached its threshold.
    open func eventDidReachThreshold(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName) {}

    /// Called `warningTime` before an interval of the activity begins.
    open func intervalWillStartWarning(for activity: DeviceActivityName) {}

    /// Called `warningTime` before an interval of the activity ends.
    open func intervalWillEndWarning(for activity: DeviceActivityName) {}

    /// Called `warningTime` before the use counted by the event reaches its threshold.
    open func eventWillReachThresholdWarning(_ event: DeviceActivityEvent.Name, activity: DeviceActivityName)
    {}

    func perform(_ call: ExtensionCall) throws {
        guard let name = call.body["activity"]?.string else {
            throw Problem(
                "extension.no_activity",
                "The call \(call.method, "method") does not name an activity."
            )
        }
        let activity = DeviceActivityName(name)
        func event() throws -> DeviceActivityEvent.Name {
            guard let event = call.body["event"]?.string else {
                throw Problem(
                    "extension.no_event",
                    "The call \(call.method, "method") does not name an event."
                )
            }
            return DeviceActivityEvent.Name(event)
        }
        switch MonitorMethod(rawValue: call.method) {
        case .intervalDidStart: intervalDidStart(for: activity)
        case .intervalDidEnd: intervalDidEnd(for: activity)
        case .intervalWillStartWarning: intervalWillStartWarning(for: activity)
        case .intervalWillEndWarning: intervalWillEndWarning(for: activity)
        case .eventDidReachThreshold: eventDidReachThreshold(try event(), activity: activity)
        case .eventWillReachThresholdWarning: eventWillReachThresholdWarning(try event(), activity: activity)
        case .eventDidReturn, .unknown, nil:
            throw Problem(
                "extension.unknown_method",
                """
                This monitor does not support “\(call.method.prefix(60), "method")”. Build it with a newer \
                version of the frameworks.
                """,
                key: "extension.unknown_method.this-monitor-does"
            )
        }
    }
}

extension ExtensionMain {
    /// Runs a monitor. This call is the only statement that an extension's main file needs.
    ///
    /// The monitor is created on the main thread. Its methods are called one at a time, on a separate thread.
    public static func run(_ makeMonitor: () -> DeviceActivityMonitor) -> Never {
        serve(.monitor) {
            let monitor = makeMonitor()
            return { call in
                try monitor.perform(call)
                return nil
            }
        }
    }
}
