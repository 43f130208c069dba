import Foundation
import STClientLink
import STContracts
import STPlatform
import STRendering

/// Inserts reports into a page. The app's report extension makes each report.
@MainActor
struct PageReports {
    /// The time limit of a request, including the work of the extension.
    private static let timeout = Duration.seconds(30)
    /// The maximum number of pieces of a report. A correct reply has fewer.
    private static let piecesMax = PageLimits.bytes / Int(ReportRender.pieceBytes) + 1

    private let language: String
    private let ask: @MainActor (PageReport) async throws -> Page

    init(_ link: ClientLink, language: String) {
        self.init(language: language) { try await Self.load($0, from: link, language: language) }
    }

    init(language: String, _ ask: @escaping @MainActor (PageReport) async throws -> Page) {
        self.language = language
        self.ask = ask
    }

    /// Returns the page with its reports. If a report cannot be made, the page contains the reason instead.
    ///
    /// - Throws: A problem if the result is too large for a page.
    func page(_ page: Page) async throws(Problem) -> Page {
        var merging = PageMerging(page)
        for report in merging.reports {
            do {
                merging.put(try await ask(report), for: report)
            } catch {
                merging.put(Self.explaining(error, report), for: report)
            }
        }
        return try merging.merged()
    }

    private static func load(_ report: PageReport, from link: ClientLink, language: String) async throws
        -> Page
    {
        let request = ReportRender.Request(
            app: link.identity.app,
            member: link.identity.member,
            context: report.context,
            filter: report.filter,
            language: language
        )
        let made = try await link.call(ReportRender.self, to: .report, request, timeout: timeout)
        var bytes: [UInt8] = []
        for piece in 0..<Int64(piecesMax) {
            let reply = try await link.call(
                ReportPiece.self,
                to: .report,
                .init(report: made.report, piece: piece)
            )
            guard let more = Data(base64Encoded: reply.bytes) else {
                throw Problem("body.invalid", "A part of the report is not base64.")
            }
            bytes += more
            if reply.isLast { break }
        }
        return try Page.decodedBody(bytes)
    }

    /// Returns a page with the reason why a report is missing, because an empty place would not explain it.
    private static func explaining(_ error: any Error, _ report: PageReport) -> Page {
        let text = (error as? Problem).map { "\($0.message) [\($0.code)]" } ?? "\(error)"
        let node = PageNode(
            kind: .text,
            runs: [
                PageRun(
                    text: "\(report.context): \(text)",
                    color: PageColor(light: "#B3261EFF", dark: "#F2B8B5FF")
                )
            ]
        )
        return Page(language: "en", controls: [], variants: [PageVariant(chosen: [], nodes: [node])])
    }
}

/// Merges an app's page with the pages of its reports, including their controls.
struct PageMerging {
    private let page: Page
    private var found: [(report: PageReport, page: Page)] = []

    init(_ page: Page) { self.page = page }

    /// The reports that the page requests, without duplicates.
    var reports: [PageReport] {
        var all: [PageReport] = []
        for report in page.variants.flatMap(\.nodes).compactMap(\.report) where !all.contains(report) {
            all.append(report)
        }
        return all
    }

    mutating func put(_ page: Page, for report: PageReport) { found.append((report, page)) }

    /// Returns the merged page with as many of the reports' controls as a page may have. The controls of the last report are
    /// dropped first.
    func merged() throws(Problem) -> Page {
        var changeable = found.count
        while true {
            let (result, places) = merged(changeable: changeable)
            do {
                try PageCheck.check(result)
                return result
            } catch {
                guard let last = places.lastIndex(where: { $0 != nil }) else { throw error }
                changeable = last
            }
        }
    }

    private func merged(changeable: Int) -> (page: Page, places: [Int?]) {
        var result = page
        /// The index of each report's first control. `nil` if its controls would result in too many variants.
        var places: [Int?] = []
        var count = page.variants.count
        for (index, (_, part)) in found.enumerated() {
            let more = count * max(1, part.variants.count)
            guard index < changeable, more <= PageLimits.variants, !part.controls.isEmpty else {
                places.append(nil)
                continue
            }
            count = more
            places.append(result.controls.count)
            result.controls += part.controls
        }
        result.variants = page.variants.flatMap { variant in
            choices(places).map { chosen in
                PageVariant(
                    chosen: variant.chosen + chosen.joined(),
                    nodes: nodes(of: variant, chosen: chosen, places: places)
                )
            }
        }
        return (result, places)
    }

    /// Returns all combinations of the reports' options, starting with the initial options.
    private func choices(_ places: [Int?]) -> [[[Int]]] {
        zip(found, places).reduce([[]]) { before, next in
            let options = next.1 == nil ? [[]] : next.0.page.variants.map(\.chosen)
            return before.flatMap { start in options.map { start + [$0] } }
        }
    }

    private func nodes(of variant: PageVariant, chosen: [[Int]], places: [Int?]) -> [PageNode] {
        variant.nodes.flatMap { node -> [PageNode] in
            guard let report = node.report, let index = found.firstIndex(where: { $0.report == report })
            else {
                return [node]
            }
            let part = found[index].page
            let shown = places[index] == nil ? nil : part.variants.first { $0.chosen == chosen[index] }
            guard let nodes = (shown ?? part.variants.first)?.nodes else {
                return [PageNode(kind: .vertical)]
            }
            let moved = nodes.map { Self.moved($0, by: places[index], part) }
            return [PageNode(kind: .vertical, count: Self.roots(nodes), align: .leading)] + moved
        }
    }

    /// Renumbers a node's control for the merged page. A control that was dropped is replaced by the label of its option.
    private static func moved(_ node: PageNode, by offset: Int?, _ part: Page) -> PageNode {
        var node = node
        let chosen = node.chart?.control.flatMap { control in offset.map { control + $0 } }
        node.chart?.control = chosen
        guard node.kind == .control, let control = node.control else { return node }
        if let offset {
            node.control = control + offset
            return node
        }
        let known = part.controls.indices.contains(control) ? part.controls[control] : nil
        let label = known.flatMap { $0.options.indices.contains($0.chosen) ? $0.options[$0.chosen] : nil }
        return PageNode(kind: .text, runs: [PageRun(text: label ?? "")])
    }

    /// Returns the number of nodes that are not inside another node.
    static func roots(_ nodes: [PageNode]) -> Int {
        var roots = 0
        var left: [Int] = []
        for node in nodes {
            if left.isEmpty { roots += 1 } else { left[left.count - 1] -= 1 }
            if let count = node.count, count > 0 { left.append(count) }
            while left.last == 0 { left.removeLast() }
        }
        return roots
    }
}
