import DeviceActivity
import Rules

final class PartsMonitor: DeviceActivityMonitor {
    override func intervalDidStart(for activity: DeviceActivityName) { Rules().shieldAll() }
}
