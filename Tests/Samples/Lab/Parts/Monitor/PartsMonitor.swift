import DeviceActivity
import Rules
import WebKit

final class PartsMonitor: DeviceActivityMonitor {
    override func intervalDidStart(for activity: DeviceActivityName) { Rules().shieldAll() }
}
