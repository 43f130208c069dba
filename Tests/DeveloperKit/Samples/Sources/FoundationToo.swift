import DeviceActivity
import Foundation

// Also imports Foundation, whose names must not hide those of the frameworks.
package func defaultsIsOurs() -> String { String(reflecting: UserDefaults.self) }

package func formatterIsOurs() -> String? {
    let formatter = DateComponentsFormatter()
    formatter.allowedUnits = [.hour, .minute]
    formatter.unitsStyle = .abbreviated
    return formatter.string(from: 3_900)
}

package func containerIsThere(_ group: NSString) -> NSInteger {
    autoreleasepool {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group as String) == nil
            ? 0 : 1
    }
}

package class WithInit: DeviceActivityMonitor {
    package var calls: [String] = []

    package override init() {
        super.init()
        calls.append("init")
    }

    package override func intervalDidStart(for activity: DeviceActivityName) {
        super.intervalDidStart(for: activity)
        calls.append("start \(activity.rawValue)")
    }

    package override func eventDidReachThreshold(
        _ event: DeviceActivityEvent.Name,
        activity: DeviceActivityName
    ) {
        super.eventDidReachThreshold(event, activity: activity)
        calls.append("\(event.rawValue) of \(activity.rawValue)")
    }
}
