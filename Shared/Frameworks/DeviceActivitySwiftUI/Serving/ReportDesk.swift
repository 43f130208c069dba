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
    /// What stands around a result on its way to the host.
    private static let envelopeBytes = 1024

    private let scenes: () -> [ReportScene]
    private let link: ClientLink
    private let useZone: (TimeZone) -> Void

    /// `useZone` is told of the zone before a scene looks at any date; what it changes others in the process see, too.
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

    /// Answers a call, on a thread that may wait: views are made on the main one, which serves its queue.
    ///
    /// Without a limit of its own: whoever asks has one, and ends the process then.
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
        return ReportPages(filter: filter, readMs: limit) { [link] next in
            var request = request
            request.next = next
            return try await link.call(ReportData.self, to: .report, request)
        }
    }

    /// Until the moment of the call, by the hour, as a filter is by itself.
    private static func today(at now: Date) -> ReportFilter {
        let interval = DateInterval(start: Calendar.current.startOfDay(for: now), end: now)
        return DeviceActivityFilter(segment: .hourly(during: interval)).wire
    }
}
