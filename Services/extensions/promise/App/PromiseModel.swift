import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STPromiseKit

/// What the app knows and does, for its screens and its command line.
@MainActor
final class PromiseModel: ObservableObject {
    /// The apps, categories and sites of the promise; kept at each change.
    @Published var activitySelection = FamilyActivitySelection()

    private let authorization = AuthorizationCenter.shared
    private let center = DeviceActivityCenter()
    private let store = PromiseStore()
    private var cancellables = Set<AnyCancellable>()

    /// Why the last choice could not be read; nil when it could.
    private(set) var selectionProblem: (any Error)?

    init() {
        do {
            activitySelection = try store.selection() ?? activitySelection
        } catch {
            selectionProblem = error
        }
        $activitySelection
            .dropFirst()
            .sink { [store, weak self] selection in
                do { try store.save(selection) } catch { self?.selectionProblem = error }
            }
            .store(in: &cancellables)
    }

    // MARK: - Permission

    var isApproved: Bool { authorization.isApproved }

    var permission: String { authorization.authorizationStatus.description }

    func requestPermission() async throws { try await authorization.requestAuthorization(for: .individual) }

    // MARK: - Terms

    var terms: PromiseTerms { store.terms }

    var names: [String] { store.names }

    var hasChoice: Bool { !activitySelection.isEmpty }

    func choose(_ choice: Choice) throws {
        activitySelection = try FamilyActivitySelection(choice)
        store.names = choice.names
    }

    func agree(to terms: PromiseTerms) throws {
        try terms.check()
        store.terms = terms
    }

    // MARK: - Monitoring

    var isMonitoring: Bool { center.activities.contains(.daily) }

    /// The current interval, or else the next one.
    var nextInterval: DateInterval? { center.schedule(for: .daily)?.nextInterval }

    func start() throws {
        guard hasChoice else {
            throw Refusal(.no, "No apps are chosen. Try: promise --choose \(Choice.example) --start")
        }
        let today = Day(Date())
        let firstDay = isMonitoring ? store.firstDay ?? today : today
        try center.startMonitoring(
            .daily,
            during: terms.schedule,
            events: terms.events(for: activitySelection, includesPastActivity: firstDay < today)
        )
        store.firstDay = firstDay
    }

    func stop() {
        // Before the extension's callback for the end of the interval, which reads it.
        store.firstDay = nil
        center.stopMonitoring([.daily])
    }

    // MARK: - What came of it

    var book: PromiseBook { store.book }

    var lastWords: (text: String, date: Date)? { store.lastWords }
}
