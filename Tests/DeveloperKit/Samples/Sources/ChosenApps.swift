import FamilyControls
import Foundation

package class ChosenApps: ObservableObject {
    @Published package var selection = FamilyActivitySelection()
    private var kept: Set<AnyCancellable> = []
    private let encoder = PropertyListEncoder()
    private let decoder = PropertyListDecoder()
    private let defaults: UserDefaults

    package init(_ suite: String) {
        defaults = UserDefaults(suiteName: suite) ?? .standard
        selection = saved() ?? FamilyActivitySelection(includeEntireCategory: true)
        $selection.dropFirst().sink { selection in
            self.defaults.set(try? self.encoder.encode(selection), forKey: "chosen")
        }
        .store(in: &kept)
    }

    package func saved() -> FamilyActivitySelection? {
        guard let data = defaults.data(forKey: "chosen") else { return nil }
        return try? decoder.decode(FamilyActivitySelection.self, from: data)
    }

    package func stop() { kept.removeAll() }
}
