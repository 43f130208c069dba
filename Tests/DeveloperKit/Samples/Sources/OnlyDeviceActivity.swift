import DeviceActivity

// Imports one framework. On a phone, it also imports Foundation and Combine.
package class UsageModel: ObservableObject {
    @Published package var minutes = 30
    @Published package var name: String?

    private var bag = Set<AnyCancellable>()
    package private(set) var seen: [Int] = []

    package init() {
        $minutes
            .removeDuplicates()
            .sink { [weak self] value in self?.seen.append(value) }
            .store(in: &bag)
    }

    package var threshold: DateComponents { DateComponents(minute: minutes) }

    package func remember(_ suite: String) -> Bool {
        guard let defaults = UserDefaults(suiteName: suite) else { return false }
        defaults.set(minutes, forKey: "minutes")
        return defaults.integer(forKey: "minutes") == minutes
    }
}

extension DeviceActivityName {
    package static let daily = Self("daily")
}

extension DeviceActivityEvent.Name {
    package static let limit = Self("limit")
}

package let wholeDay = DeviceActivitySchedule(
    intervalStart: DateComponents(hour: 0, minute: 0, second: 0),
    intervalEnd: DateComponents(hour: 23, minute: 59, second: 59),
    repeats: true,
    warningTime: DateComponents(minute: 1)
)
