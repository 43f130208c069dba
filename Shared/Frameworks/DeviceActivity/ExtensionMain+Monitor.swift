public import STClientLink
import STContracts
import STPlatform

extension ExtensionMain {
    /// Runs a monitor: the whole of an extension's main file.
    ///
    /// Its methods are called one at a time, on a thread of their own. The object is made before the first of them, on the
    /// main thread.
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

extension DeviceActivityMonitor {
    /// Makes one callback.
    func perform(_ call: ExtensionCall) throws {
        guard let name = call.body["activity"]?.string else {
            throw Problem("extension.no_activity", "\(call.method) came without the name of an activity.")
        }
        let activity = DeviceActivityName(name)
        func event() throws -> DeviceActivityEvent.Name {
            guard let event = call.body["event"]?.string else {
                throw Problem("extension.no_event", "\(call.method) needs an event, and the call has none.")
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
        case .unknown, nil:
            throw Problem(
                "extension.unknown_method",
                "This monitor does not know “\(call.method.prefix(60))”. Build it with a newer version of the frameworks."
            )
        }
    }
}
