import DeviceActivity
import ManagedSettings
import Words

public struct Rules {
    public init() {}

    public func shieldAll() {
        ManagedSettingsStore(named: .init(Words.event)).shield.applicationCategories = .all()
    }
}
