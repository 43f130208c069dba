import DeviceActivity
import FamilyControls
import Foundation
import STAppSupport
import STWorklogKit

/// The state and actions of the app, for its screens and its command line.
@MainActor
final class WorklogModel: ObservableObject {
    @Published private(set) var work = FamilyActivitySelection()

    private let authorization = AuthorizationCenter.shared
    private let center = DeviceActivityCenter()
    private let store = WorklogStore()
    private let shields = WorklogShields()

    /// The reason why the stored choice could not be read. `nil` if it was read.
    private(set) var selectionProblem: (any Error)?

    init() {
        do {
            work = try store.work() ?? work
        } catch {
            selectionProblem = error
        }
    }

    // MARK: - Permission

    var isApproved: Bool { authorization.isApproved }

    func requestPermission() async throws { try await authorization.requestAuthorization(for: .individual) }

    // MARK: - Choice of work

    var names: [String] { store.names }

    var hours: Length {
        get { store.hours }
        set { store.hours = newValue }
    }

    static func readHours(_ text: String, _ place: String? = nil) throws -> Length {
        let length = try Length.read(text, place)
        guard length.seconds > 0, length < .day else {
            throw Refusal(
                .usage,
                "The work is \(length.text) a day. Give more than 0m and less than a day, such as 2h"
            )
        }
        return length
    }

    func choose(_ choice: Choice) throws {
        work = try FamilyActivitySelection(choice)
        try store.save(work: work)
        store.names = choice.names
    }

    // MARK: - Work first

    var isStarted: Bool { store.isStarted }

    /// Shields games until the work is done, and also social apps and sites.
    func start() throws {
        guard !names.isEmpty else {
            throw Refusal(.no, "No work is set yet. Try: worklog --work code,category:productivity --start")
        }
        for group in WorklogGroup.allCases {
            let selection = try FamilyActivitySelection.choosing(categories: [group.rawValue])
            try store.save(selection, shielding: group)
        }
        store.isStarted = true
        try center.startMonitoring(
            .workday,
            during: WorklogSchedules.workday,
            events: WorklogSchedules.work(work, hours)
        )
        if !isEveningNow { try shields.up(.social) }
    }

    func stop() {
        // Clear these first, because the extension reads them in its callbacks for the ends of the intervals.
        store.isStarted = false
        store.hasEvenings = false
        center.stopMonitoring([.workday, .evenings])
        WorklogGroup.allCases.forEach(shields.down)
    }

    // MARK: - Evenings

    var hasEvenings: Bool { store.hasEvenings }

    func allowEvenings(_ isOn: Bool) throws {
        guard isStarted else { throw Refusal(.no, "Nothing is closed yet. Try: worklog --start") }
        store.hasEvenings = isOn
        if isOn {
            try center.startMonitoring(.evenings, during: WorklogSchedules.evenings)
        } else {
            center.stopMonitoring([.evenings])
            try shields.up(.social)
        }
    }

    /// True if social apps and sites are currently open because the evening is allowed.
    private var isEveningNow: Bool {
        hasEvenings && center.schedule(for: .evenings)?.nextInterval?.contains(Date()) == true
    }

    // MARK: - Status

    func status(_ words: WorklogWords) -> String {
        [
            words.permission(isApproved: isApproved),
            words.work(names, hours),
            words.games(
                isStarted: isStarted,
                isShielded: shields.isUp(.games),
                isDone: store.doneDay == Day(Date())
            ),
            words.social(isShielded: shields.isUp(.social), hasEvenings: hasEvenings),
        ].joined(separator: "\n")
    }
}
