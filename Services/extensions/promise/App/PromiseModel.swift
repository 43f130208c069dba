import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STPromiseKit

/// What the app knows and does, whichever way it is asked.
@MainActor
final class PromiseModel: ObservableObject {
    /// The apps, categories and sites of the promise; kept at each change.
    @Published var activitySelection = FamilyActivitySelection()

    private let authorization = AuthorizationCenter.shared
    private let center = DeviceActivityCenter()
    private let store = PromiseStore()
    private var cancellables = Set<AnyCancellable>()

    /// Why last time's choice is not there any more; nil when all is well.
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

    var isApproved: Bool {
        switch authorization.authorizationStatus {
        case .approved, .approvedWithDataAccess: true
        default: false
        }
    }

    var permission: String { authorization.authorizationStatus.description }

    func requestPermission() async throws { try await authorization.requestAuthorization(for: .individual) }

    // MARK: - Terms

    var terms: PromiseTerms { store.terms }

    var names: [String] { store.names }

    var hasChoice: Bool {
        !activitySelection.applicationTokens.isEmpty || !activitySelection.categoryTokens.isEmpty
            || !activitySelection.webDomainTokens.isEmpty
    }

    func choose(_ choice: Choice) throws {
        activitySelection = try FamilyActivitySelection.choosing(
            applications: choice.applications,
            categories: choice.categories,
            webDomains: choice.sites
        )
        store.names = choice.names
    }

    func agree(to terms: PromiseTerms) throws {
        try terms.check()
        store.terms = terms
    }

    // MARK: - Monitoring

    var isMonitoring: Bool { center.activities.contains(.daily) }

    /// The interval under way, or else the next one.
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
        // Before the extension is told that the interval is over, so that it knows why.
        store.firstDay = nil
        center.stopMonitoring([.daily])
    }

    // MARK: - What came of it

    var book: PromiseBook { store.book }

    var lastWords: (text: String, date: Date)? { store.lastWords }
}
