import Foundation
import STContracts
import STFoundationTypes
import STPlatform
import STRendering

/// One page being made: its view is evaluated until nothing changes, and again for each choice.
@MainActor
final class PageMaking<V: View> {
    /// How often what happens after an evaluation may lead to another one.
    static var roundsMax: Int { 8 }
    /// For all tasks of a round together.
    private static var taskMs: Int64 { 2_000 }

    private let view: V
    private let language: String
    private let zone: String?
    private let title: String?
    private let session = PageSession()

    init(_ view: V, language: String, zone: String?, title: String?) {
        self.view = view
        self.language = language
        self.zone = zone
        self.title = title
    }

    var hasTasks: Bool { !session.tasks.isEmpty }

    /// Gives the tasks some time; what they have not done by then is cancelled.
    func runTasks() async {
        let tasks = session.tasks
        session.tasks = []
        await PageTasks.run(tasks, milliseconds: Self.taskMs)
    }

    func page() throws -> Page {
        _ = try settled()
        var count = Int.max
        while true {
            let ids = session.controls.active(atMost: count)
            let page = try page(changing: ids)
            // Another choice may have brought up what nobody had seen before.
            if session.controls.active(atMost: count) != ids, count == Int.max { continue }
            if let problem = Self.problem(page) {
                guard !ids.isEmpty else { throw problem }
                count = ids.count - 1
                continue
            }
            report(left: session.controls.entries.count - ids.count)
            return page
        }
    }

    private func report(left: Int) {
        guard left > 0 else { return }
        FrameworkLog.drawing.notice(
            "\(left) controls of the page cannot be changed on it: all choices together would be more than"
                + " \(PageLimits.variants) pages"
        )
    }

    private func page(changing ids: [Int]) throws -> Page {
        let entries = ids.map { session.controls.entries[$0] }
        let firsts = entries.map(\.first)
        var variants: [PageVariant] = []
        for chosen in Self.combinations(entries.map(\.request.choices), first: firsts) {
            let elements = try shown(ids, chosen)
            variants.append(PageVariant(chosen: chosen, nodes: try PageFlattening(ids).nodes(elements)))
        }
        choose(ids, firsts)
        return Page(
            title: title ?? session.title,
            language: PageLanguage.tag(language),
            zone: zone,
            controls: zip(ids, firsts).map { id, first in
                let request = session.controls.entries[id].request
                return PageControl(
                    kind: request.kind,
                    label: request.label,
                    options: request.options,
                    chosen: first
                )
            },
            variants: variants
        )
    }

    /// The view when that is chosen.
    private func shown(_ ids: [Int], _ chosen: [Int]) throws -> [PageElement] {
        guard !ids.isEmpty else { return try settled() }
        choose(ids, chosen)
        let elements = try settled()
        // What one choice does may undo another one.
        guard choose(ids, chosen) else { return elements }
        return try settled()
    }

    @discardableResult
    private func choose(_ ids: [Int], _ chosen: [Int]) -> Bool {
        var hasChanged = false
        for (id, option) in zip(ids, chosen) {
            let request = session.controls.entries[id].request
            guard request.chosen() != option else { continue }
            request.set(option)
            hasChanged = true
        }
        return hasChanged
    }

    /// Evaluates until nothing is left to be done.
    private func settled() throws -> [PageElement] {
        var elements = try evaluated()
        var round = 0
        while !session.actions.isEmpty, round < Self.roundsMax {
            round += 1
            let actions = session.actions
            session.actions = []
            for action in actions { action() }
            elements = try evaluated()
        }
        session.actions = []
        return elements
    }

    private func evaluated() throws -> [PageElement] {
        var environment = EnvironmentValues()
        environment.locale = Locale(identifier: language)
        if let zone = zone.flatMap(TimeZone.init(identifier:)) { environment.timeZone = zone }
        session.title = nil
        let page = PageWriter(session, environment)
        return try page.collect { try page.lower(view) }
    }

    /// All of them, that of now first.
    static func combinations(_ choices: [[Int]], first: [Int]) -> [[Int]] {
        let all = choices.reduce([[]]) { before, choices in
            before.flatMap { start in choices.map { start + [$0] } }
        }
        return [first] + all.filter { $0 != first }
    }

    /// What whoever shows the page would refuse it for: it counts all texts of all variants together.
    private static func problem(_ page: Page) -> Problem? {
        do {
            try PageCheck.check(page)
        } catch {
            return error.code == PageProblem.textCode ? PageProblem.tooMuchText : error
        }
        guard let bytes = try? page.encodedBody() else { return PageProblem.tooManyBytes }
        return bytes.count > PageLimits.bytes ? PageProblem.tooManyBytes : nil
    }
}
