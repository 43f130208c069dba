import DeviceActivity
import FamilyControls
import Foundation
import ManagedSettings
import STAppSupport
import STBarebonesKit

/// The state and actions of the app, for its screens and its command line.
@MainActor
final class BarebonesModel: ObservableObject {
    @Published private(set) var selection = FamilyActivitySelection()

    private let authorization = AuthorizationCenter.shared
    private let center = DeviceActivityCenter()
    private let store = BarebonesStore()

    /// The reason why the stored choice could not be read. `nil` if it was read.
    private(set) var selectionProblem: (any Error)?

    init() {
        do {
            selection = try store.selection() ?? selection
        } catch {
            selectionProblem = error
        }
    }

    // MARK: - Permission

    var isApproved: Bool { authorization.isApproved }

    func requestPermission() async throws { try await authorization.requestAuthorization(for: .individual) }

    // MARK: - Choice and hours

    var names: [String] { store.names }

    var hasChoice: Bool { !selection.isEmpty }

    var hours: BarebonesHours {
        get { store.hours }
        set { store.hours = newValue }
    }

    func choose(_ choice: Choice) throws {
        selection = try FamilyActivitySelection(choice)
        try store.save(selection)
        store.names = choice.names
    }

    // MARK: - Monitoring

    var isMonitoring: Bool { center.activities.contains(.daily) }

    func start() throws {
        guard hasChoice else {
            throw Refusal(.no, "No apps are chosen. Try: barebones --choose \(Choice.example) --start")
        }
        try center.startMonitoring(.daily, during: store.hours.schedule)
    }

    func stop() { center.stopMonitoring([.daily]) }

    // MARK: - Status

    func status(_ words: BarebonesWords) -> String {
        let interval = center.schedule(for: .daily)?.nextInterval
        let shield = ManagedSettingsStore(named: .daily).shield
        var categories = 0
        if case .specific(let tokens, except: _) = shield.applicationCategories { categories = tokens.count }
        return [
            words.permission(isApproved: isApproved),
            words.chosen(names),
            words.hours(hours),
            words.monitored(
                interval.map { "\(LocalTime.text($0.start)) – \(LocalTime.text($0.end))" }
            ),
            words.shielded(shield.applications?.count ?? 0, categories: categories),
        ].joined(separator: "\n")
    }
}
