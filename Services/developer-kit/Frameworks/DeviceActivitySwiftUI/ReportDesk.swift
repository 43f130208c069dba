import Dispatch
import Foundation
import STClientLink
import STContracts
import STFoundationTypes
import STPlatform
import Synchronization

/// Makes reports when the host asks for them.
@MainActor
final class ReportDesk {
    /// The overhead of a result's message to the host.
    private static let envelopeBytes = 1024

    private let scenes: () -> [ReportScene]
    private let link: ClientLink
    private let useZone: (TimeZone) -> Void

    /// `useZone` gets the time zone before a scene uses any date; the change affects the whole process.
    init(
        link: ClientLink = .current,
        useZone: @escaping (TimeZone) -> Void = { _ in },
        _ scenes: @escaping () -> [ReportScene]
    ) {
        self.link = link
        self.useZone = useZone
        self.scenes = scenes
    }

    /// Serves the host until it has no more calls.
    static func serve(_ scenes: @escaping () -> [ReportScene]) -> Never {
        ExtensionMain.serve(.report) {
            // The process makes reports and nothing else: what a scene does with dates is meant in the zone of whom it
            // is about, and an app's own code only asks for that of the process.
            let desk = ReportDesk(useZone: { NSTimeZone.default = $0 }, scenes)
            return { call in try desk.wait(call) }
        }
    }

    /// Answers a call on a thread that may wait: views are made on the main thread, which serves its queue.
    ///
    /// No time limit here: the host has one, and ends the process then.
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
            let page = try await page(call, scenes, contexts)
            let result = ReportCallResult(contexts: contexts, page: page)
            // The page alone may be as long as that; what does not fit would end the process without a word.
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

    private func page(_ call: ExtensionCall, _ scenes: [ReportScene], _ contexts: [String]) async throws
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
        return ReportPages(filter: filter, patience: Patience(milliseconds: limit)) { [link] next in
            var request = request
            request.next = next
            return try await link.call(ReportData.self, to: .report, request)
        }
    }

    /// Today by the hour up to the call, as the default filter.
    private static func today(at now: Date) -> ReportFilter {
        let interval = DateInterval(start: Calendar.current.startOfDay(for: now), end: now)
        return DeviceActivityFilter(segment: .hourly(during: interval)).wire
    }
}

/// A scene without its type.
@MainActor
struct ReportScene {
    let context: String
    /// Makes the page of the data.
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

    /// Off the main thread, as apps' code expects it.
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

/// A value that one side uses at a time: the side that hands it over waits for the other.
private struct HandedOver<Value>: @unchecked Sendable {
    // @unchecked: said above.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The language of a page, and the check of its data.
struct ReportPageStyle: Sendable {
    var language: String
    var zone: String?
    /// Throws when the data broke off, because half a report would look complete.
    var check: @Sendable () throws -> Void
}

/// Whether a page shows anything.
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

    /// Checks the next node with its children; the depth of a page is limited.
    private mutating func next() -> Bool {
        guard index < nodes.count else { return false }
        let node = nodes[index]
        index += 1
        var isSeen = Self.isSeen(node)
        for _ in 0..<max(0, node.count ?? 0) {
            // All of them are gone through, as the next one stands behind them.
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

    /// False for `#RRGGBBAA` colours without opacity.
    private static func isSeen(_ paint: PagePaint?) -> Bool {
        guard let paint else { return false }
        let colors = ([paint.color] + (paint.stops ?? []).map(\.color)).compactMap { $0 }
        return colors.contains {
            !($0.light.hasSuffix("00") && $0.light.count == 9) || !$0.dark.hasSuffix("00")
        }
    }
}

/// Why there is no report, where a phone shows a blank view.
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
