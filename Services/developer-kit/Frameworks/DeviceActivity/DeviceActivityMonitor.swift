public import Foundation
public import STClientLink
import STContracts
import STPlatform

/// Learns when intervals begin and end and when thresholds are reached.
///
/// Subclass it, and start it with `ExtensionMain.run`. A method may start asynchronous work: the next
/// callback comes when that is done.
open class DeviceActivityMonitor: NSObject {
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
    /// Runs a monitor: the whole of an extension's main file.
    ///
    /// Its methods are called one at a time, on a thread of their own. The object is made before, on the main
    /// thread.
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
