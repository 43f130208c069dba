import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STPromiseKit

/// The state and actions of the app, for its screens and its command line.
@MainActor
final class PromiseModel: ObservableObject {
    /// The apps, categories and sites of the promise. Each change is stored.
    @Published var activitySelection = FamilyActivitySelection()

    private let authorization = AuthorizationCenter.shared
    private let center = DeviceActivityCenter()
    private let store = PromiseStore()
    private var cancellables = Set<AnyCancellable>()

    /// The reason why the stored choice could not be read. `nil` if it was read.
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

    /// The current interval, or the next one if none is current.
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
        // Clear this first, because the extension reads it in its callback for the end of the interval.
        store.firstDay = nil
        center.stopMonitoring([.daily])
    }

    // MARK: - Results

    var book: PromiseBook { store.book }

    var lastWords: (text: String, date: Date)? { store.lastWords }
}

/// The data of the status screen.
struct StatusReport: Encodable {
    struct Interval: Encodable {
        var start: String
        var end: String
    }

    struct LastWords: Encodable {
        var text: String
        var at: String
    }

    var permission: String
    var isApproved: Bool
    var names: [String]
    var allowanceSeconds: Int
    var warningSeconds: Int
    var words: String
    var window: String
    var isMonitored: Bool
    var nextInterval: Interval?
    var kept: Int
    var broken: Int
    var inARow: Int
    var isTodayBroken: Bool?
    var lastWords: LastWords?

    @MainActor
    init(_ model: PromiseModel) {
        let terms = model.terms
        let book = model.book
        permission = model.permission
        isApproved = model.isApproved
        names = model.names
        allowanceSeconds = terms.allowance.seconds
        warningSeconds = terms.warning?.seconds ?? 0
        words = terms.words
        window = terms.window
        isMonitored = model.isMonitoring
        nextInterval = model.nextInterval.map {
            Interval(start: LocalTime.text($0.start), end: LocalTime.text($0.end))
        }
        kept = book.kept
        broken = book.broken
        inARow = book.inARow
        isTodayBroken = book.isBroken
        lastWords = model.lastWords.map { LastWords(text: $0.text, at: LocalTime.text($0.date)) }
    }

    func json() throws -> String { try Console.json(self) }

    func text(_ say: PromiseWords) -> String {
        var lines = [
            say.permission(isApproved: isApproved),
            say.chosen(names),
            say.terms(
                Length(seconds: allowanceSeconds),
                warning: warningSeconds > 0 ? Length(seconds: warningSeconds) : nil,
                window: window
            ),
            say.own(words),
            say.monitored(isMonitored ? nextInterval.map { "\($0.start) – \($0.end)" } ?? "–" : nil),
            say.kept(kept, broken: broken, inARow: inARow) + " " + say.today(isBroken: isTodayBroken),
        ]
        if let lastWords { lines.append(say.lastWords(lastWords.text, at: lastWords.at)) }
        return lines.joined(separator: "\n")
    }
}
