import Foundation
package import STContracts
import STFoundationTypes
package import STPlatform
import STRendering

/// Makes pages from views.
@MainActor
package enum PageBuilder {
    /// Makes a page without waiting for the view's tasks.
    package static func page<V: View>(
        of view: V,
        language: String = "en",
        zone: String? = nil,
        title: String? = nil
    ) throws -> Page {
        try PageMaking(view, language: language, zone: zone, title: title).page()
    }

    /// Makes a page after the view's tasks have run.
    package static func page<V: View>(
        of view: V,
        language: String = "en",
        zone: String? = nil,
        title: String? = nil
    ) async throws -> Page {
        let making = PageMaking(view, language: language, zone: zone, title: title)
        var page = try making.page()
        var round = 0
        while making.hasTasks, round < PageMaking<V>.roundsMax {
            round += 1
            await making.runTasks()
            page = try making.page()
        }
        return page
    }
}

/// Makes one page. It evaluates the view until nothing changes, and repeats that for each combination of options.
@MainActor
final class PageMaking<V: View> {
    /// The maximum number of evaluations caused by actions.
    static var roundsMax: Int { 8 }
    /// The time limit for all tasks of a round.
    private static var taskTimeout: Duration { .seconds(2) }

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

    /// Runs the tasks up to the time limit, then cancels them.
    func runTasks() async {
        let tasks = session.tasks
        session.tasks = []
        await PageTasks.run(tasks, milliseconds: Self.taskTimeout.ms)
    }

    func page() throws -> Page {
        _ = try settled()
        var count = Int.max
        while true {
            let ids = session.controls.active(atMost: count)
            let page = try page(changing: ids)
            // The evaluation of other options may have added controls.
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

    /// Evaluates the view with these options.
    private func shown(_ ids: [Int], _ chosen: [Int]) throws -> [PageElement] {
        guard !ids.isEmpty else { return try settled() }
        choose(ids, chosen)
        let elements = try settled()
        // The action of one option may have undone another one.
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

    /// Evaluates the view until there are no more actions.
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

    /// Returns all combinations, with the initial one first.
    static func combinations(_ choices: [[Int]], first: [Int]) -> [[Int]] {
        let all = choices.reduce([[]]) { before, choices in
            before.flatMap { start in choices.map { start + [$0] } }
        }
        return [first] + all.filter { $0 != first }
    }

    /// Returns the reason why the page would be rejected when it is shown. The check adds up the texts of all variants.
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

/// The state that is kept between the evaluations of one page.
@MainActor
final class PageSession {
    let root = ViewPlace()
    let properties = PropertyBinder()
    let controls = ControlBook()
    /// The actions to run after an evaluation.
    var actions: [@MainActor () -> Void] = []
    var tasks: [PageTask] = []
    var title: String?
}

/// A view's `task`.
@MainActor
struct PageTask {
    var priority: TaskPriority
    var work: @MainActor @Sendable () async -> Void
}

@MainActor
private enum PageTasks {
    /// Runs tasks until all are done or the time limit is reached. It then cancels the rest without waiting for them.
    static func run(_ tasks: [PageTask], milliseconds: Int64) async {
        guard !tasks.isEmpty else { return }
        var left = tasks.count
        var waiting: CheckedContinuation<Void, Never>?
        let resume: @MainActor () -> Void = {
            waiting?.resume()
            waiting = nil
        }
        let running = tasks.map { task in
            Task(priority: task.priority) { @MainActor in
                await task.work()
                left -= 1
                if left == 0 { resume() }
            }
        }
        let deadline = Task { @MainActor in
            try? await Task.sleep(for: .milliseconds(milliseconds))
            resume()
        }
        await withCheckedContinuation { continuation in
            // No task has started yet, because everything here runs on the main actor.
            waiting = continuation
        }
        deadline.cancel()
        for task in running { task.cancel() }
    }
}

/// The language tag of a page.
package enum PageLanguage {
    package static let standard = "en"

    /// Returns the tag, for example `en-US` for `en_US.UTF-8`. Returns English if the name contains no language, for example `C`
    /// or `POSIX`.
    package static func tag(_ name: String) -> String {
        let words = name.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        let tag = words.filter { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
            .joined(separator: "-")
        let isLanguage = (2...3).contains(words.first?.count ?? 0) && (2...35).contains(tag.utf8.count)
        return isLanguage ? tag : standard
    }
}

/// The reasons why a page cannot be made.
package enum PageProblem {
    package static let tooDeep = Problem(
        "page.too_deep",
        """
        The view is nested too deeply: a page can have at most \(PageLimits.depth, "depth") levels. Look for \
        a view whose body contains itself, or use fewer stacks.
        """
    )

    package static let tooManyNodes = Problem(
        "page.too_large",
        """
        The page has more than \(PageLimits.nodes, "nodes") elements. Show fewer rows, for example with \
        `prefix(50)`.
        """
    )

    package static let tooManyViews = Problem(
        "page.too_large",
        "The page needs more than \(viewsMax, "most") views. Show fewer rows, for example with `prefix(50)`.",
        key: "page.too_large.the-page-takes"
    )

    package static let tooMuchText = Problem(
        "page.too_large",
        """
        The text on the page is longer than \(PageLimits.textBytes, "textBytes") bytes in total. Shorten it, \
        or show less of it.
        """,
        key: "page.too_large.the-texts-of"
    )

    /// The code of `PageCheck` for a page with too much text.
    static let textCode = "page.text"

    package static let tooManyBytes = Problem(
        "page.too_large",
        """
        The page is larger than \(PageLimits.bytes, "bytes") bytes. Show fewer elements, smaller pictures, \
        or fewer choices.
        """,
        key: "page.too_large.the-page-is"
    )

    package static func noObject(_ type: String, _ view: String) -> Problem {
        Problem(
            "page.no_object",
            """
            \(view, "view") expects an object of type \(type, "type"), but no enclosing view provides one. \
            Add `.environmentObject(...)` or `.environment(...)` to an enclosing view.
            """
        )
    }

    /// The maximum number of views, including those that add nothing to the page.
    package static let viewsMax = 100_000
}
