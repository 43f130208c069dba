import DeviceActivity
import PartsShared
import Rules
import WebKit

#if canImport(ActivityKit)
import ActivityKit

struct PartsAttributes: ActivityAttributes {}
#endif

final class PartsMonitor: DeviceActivityMonitor {
    override func intervalDidStart(for activity: DeviceActivityName) {
        PartsNote.count += 1
        Rules().shieldAll()
    }
}
