import Dispatch
import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// Makes reports when the host requests them.
@MainActor
final class ReportDesk {
    /// The size of a result's envelope in the message to the host.
    private static let envelopeBytes = 1024

    private let scenes: () -> [ReportScene]
    private let link: ClientLink
    private let useZone: (TimeZone) -> Void

    /// Creates the desk. `useZone` sets the time zone of the whole process before a scene uses any date.
    init(
        link: ClientLink = .current,
        useZone: @escaping (TimeZone) -> Void = { _ in },
        _ scenes: @escaping () -> [ReportScene]
    ) {
        self.link = link
        self.useZone = useZone
        self.scenes = scenes
    }

    /// Serves the host until there are no more calls. It then ends the process.
    static func serve(_ scenes: @escaping () -> [ReportScene]) -> Never {
        ExtensionMain.serve(.report) {
            // A report shows dates in the time zone of its person. App code uses the time zone of the process. Changing that zone
            // is safe, because this process only makes reports.
            let desk = ReportDesk(useZone: { NSTimeZone.default = $0 }, scenes)
            return { call in try desk.wait(call) }
        }
    }

    /// Handles a call and blocks its thread until the report is made. Views are made on the main thread, which serves its queue.
    ///
    /// There is no time limit here. The host has one, and terminates the process when it expires.
    nonisolated func wait(_ call: ExtensionCall) throws -> JSONValue? {
        let answer = Mutex<Result<JSONValue, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task { @MainActor in
            do {
                let result = try JSONValue(wire: await self.result(of: call))
                answer.withLock { $0 = .success(result) }
            } catch {
                answer.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        isDone.wait()
        return try answer.withLock { $0 }?.get()
    }

    func result(of call: ExtensionCall) async throws -> ReportCallResult {
        let scenes = scenes()
        guard !scenes.isEmpty else { throw ReportProblem.noScenes }
        let contexts = Self.contexts(scenes)
        switch ReportMethod(rawValue: call.method) {
        case .contexts: return ReportCallResult(contexts: contexts)
        case .makeReport:
            let page = try await page(for: call, scenes: scenes, contexts: contexts)
            let result = ReportCallResult(contexts: contexts, page: page)
            // The page alone may have the maximum size. A message that is too long would end the process without an error.
            guard try result.encodedBody().count + Self.envelopeBytes <= ExtensionPoint.report.returnedBytes
            else {
                throw PageProblem.tooManyBytes
            }
            return result
        case .unknown, nil: throw call.unknownMethod
        }
    }

    private static func contexts(_ scenes: [ReportScene]) -> [String] {
        var seen = Set<String>()
        return scenes.map(\.context).filter { seen.insert($0).inserted }
    }

    private func page(for call: ExtensionCall, scenes: [ReportScene], contexts: [String]) async throws
        -> Page
    {
        let body: ReportCallBody = try call.decoded()
        guard let context = body.context else { throw ReportProblem.noContext(contexts) }
        let meant = scenes.filter { $0.context == context }
        guard let scene = meant.first else { throw ReportProblem.unknownContext(context, contexts) }
        guard meant.count == 1 else { throw ReportProblem.contextTwice(context, meant.count) }
        let zone = body.zone.flatMap { TimeZone(identifier: $0) }
        if let zone, zone != TimeZone.current { useZone(zone) }
        let pages = pages(body, call)
        let style = ReportPageStyle(language: body.language ?? Self.language, zone: zone?.identifier) {
            if let problem = pages.problem { throw problem }
        }
        let page = try await scene.page(pages.results, style)
        guard PageVisibility.hasAnything(page) else { throw ReportProblem.empty(context) }
        return page
    }

    private static var language: String { Locale.current.language.languageCode?.identifier ?? "en" }

    private func pages(_ body: ReportCallBody, _ call: ExtensionCall) -> ReportPages {
        let filter = body.filter ?? Self.today(at: Date(wallMs: call.wallMs))
        let request = ReportData.Request(
            app: link.identity.app,
            member: link.identity.member,
            filter: filter,
            language: body.language
        )
        let limit =
            call.deadlineMs > 0 ? min(call.deadlineMs, ReportPages.readMsMost) : ReportPages.readMsMost
        return ReportPages(filter: filter, patience: WaitLimit(milliseconds: limit)) { [link] next in
            var request = request
            request.next = next
            return try await link.call(ReportData.self, to: .report, request)
        }
    }

    /// Returns the default filter: today up to the call, in hourly segments.
    private static func today(at now: Date) -> ReportFilter {
        let interval = DateInterval(start: Calendar.current.startOfDay(for: now), end: now)
        return DeviceActivityFilter(segment: .hourly(during: interval)).wire
    }
}

/// A scene with its type erased.
@MainActor
struct ReportScene {
    let context: String
    /// Makes the page from the data.
    let page: @MainActor (DeviceActivityResults<DeviceActivityData>, ReportPageStyle) async throws -> Page

    private init(_ scene: some DeviceActivityReportScene) {
        context = scene.context.rawValue
        page = { data, style in
            let configuration = await Self.configuration(HandedOver(scene), data)
            try style.check()
            return try await PageBuilder.page(
                of: scene.content(configuration.value),
                language: style.language,
                zone: style.zone
            )
        }
    }

    /// Makes the configuration outside the main thread, as the code of apps expects.
    private nonisolated static func configuration<Scene: DeviceActivityReportScene>(
        _ scene: HandedOver<Scene>,
        _ data: DeviceActivityResults<DeviceActivityData>
    ) async -> HandedOver<Scene.Configuration> {
        HandedOver(await scene.value.makeConfiguration(representing: data))
    }

    static func all(of scene: some DeviceActivityReportScene) -> [ReportScene] {
        (scene as? ReportSceneList)?.scenes ?? [ReportScene(scene)]
    }
}

/// A value that only one side uses at a time. The side that passes the value waits for the other.
private struct HandedOver<Value>: @unchecked Sendable {
    // @unchecked: see the comment of the type.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The language and time zone of a page, and the check of its data.
struct ReportPageStyle: Sendable {
    var language: String
    var zone: String?
    /// Throws if the data is incomplete, because a partial report would look complete.
    var check: @Sendable () throws -> Void
}

/// Checks a page for visible content.
private struct PageVisibility {
    private let nodes: [PageNode]
    private var index = 0

    private init(_ nodes: [PageNode]) { self.nodes = nodes }

    static func hasAnything(_ page: Page) -> Bool {
        page.variants.contains { variant in
            var all = PageVisibility(variant.nodes)
            while all.index < variant.nodes.count {
                if all.next() { return true }
            }
            return false
        }
    }

    /// Checks the next node and its children. Recursion is safe, because the depth of a page is limited.
    private mutating func next() -> Bool {
        guard index < nodes.count else { return false }
        let node = nodes[index]
        index += 1
        var isSeen = Self.isSeen(node)
        for _ in 0..<max(0, node.count ?? 0) {
            // All children are checked, because the next node comes after them.
            let inner = next()
            isSeen = isSeen || inner
        }
        return isSeen && node.box?.opacity.map { $0 > 0 } ?? true
    }

    private static func isSeen(_ node: PageNode) -> Bool {
        switch node.kind {
        case .text: (node.runs ?? []).contains { $0.text.contains { !$0.isWhitespace } }
        case .box: isSeen(node.box?.background) || isSeen(node.box?.border)
        case .shape: isSeen(node.shape?.fill) || isSeen(node.shape?.stroke)
        case .chart: !(node.chart?.marks.isEmpty ?? true)
        case .image, .divider, .progress, .report, .control: true
        case .vertical, .horizontal, .layered, .over, .behind, .spacer, .list, .section, .scroll, .grid,
            .unknown:
            false
        }
    }

    /// Returns true if any colour of the paint is visible. `#RRGGBBAA` colours with zero opacity are not visible.
    private static func isSeen(_ paint: PagePaint?) -> Bool {
        guard let paint else { return false }
        let colors = ([paint.color] + (paint.stops ?? []).map(\.color)).compactMap { $0 }
        return colors.contains {
            !($0.light.hasSuffix("00") && $0.light.count == 9) || !$0.dark.hasSuffix("00")
        }
    }
}

/// The reasons why there is no report. A phone shows a blank view in these cases.
private enum ReportProblem {
    private static let namesMost = 20

    static let noScenes = Problem(
        "report.no_scenes",
        """
        The extension has no reports: the body of its DeviceActivityReportExtension is empty. Add a scene \
        for each report to it.
        """
    )

    static func noContext(_ known: [String]) -> Problem {
        Problem(
            "report.no_context",
            "The call does not name a report. \(list(known), "list")"
        )
    }

    static func unknownContext(_ context: String, _ known: [String]) -> Problem {
        let near = TextFormat.closest(to: context, in: known).map { " Did you mean “\($0)”?" } ?? ""
        return Problem(
            "report.unknown_context",
            "The extension has no report “\(context.prefix(80), "context")”.\(near, "near") \(list(known), "list")",
            field: "/context"
        )
    }

    static func contextTwice(_ context: String, _ count: Int) -> Problem {
        Problem(
            "report.context_twice",
            """
            \(count, "count") scenes of the extension have the context “\(context.prefix(80), "context")”, \
            so it is not clear which one makes the report. Give each scene a context of its own.
            """,
            field: "/context"
        )
    }

    static func empty(_ context: String) -> Problem {
        Problem(
            "report.empty",
            """
            The report “\(context.prefix(80), "context")” shows nothing: its view is empty for the data \
            that the filter matches. Show a text when there is no data.
            """
        )
    }

    private static func list(_ known: [String]) -> String {
        let names = known.prefix(namesMost).map { "“\($0.prefix(80))”" }.joined(separator: ", ")
        let more = known.count > namesMost ? " and \(known.count - namesMost) more" : ""
        return "There are: \(names)\(more)."
    }
}
