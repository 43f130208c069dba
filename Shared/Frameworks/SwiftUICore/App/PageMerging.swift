import STContracts
import STPlatform
import STRendering

/// One page out of an app's own and those of its reports, with the controls of all of them.
struct PageMerging {
    private let page: Page
    private var found: [(report: PageReport, page: Page)] = []

    init(_ page: Page) { self.page = page }

    /// What the page has places for, each once.
    var reports: [PageReport] {
        var all: [PageReport] = []
        for report in page.variants.flatMap(\.nodes).compactMap(\.report) where !all.contains(report) {
            all.append(report)
        }
        return all
    }

    mutating func put(_ page: Page, for report: PageReport) { found.append((report, page)) }

    /// With as many of the reports' controls as whoever shows the page takes: those of the last report are the first
    /// to stay as they are.
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
        /// Where the controls of each report begin; nil when they would make too many pages.
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
                PageVariant(chosen: variant.chosen + chosen.joined(), nodes: nodes(variant, chosen, places))
            }
        }
        return (result, places)
    }

    /// All combinations of what can be chosen in the reports, what is chosen at first in front.
    private func choices(_ places: [Int?]) -> [[[Int]]] {
        zip(found, places).reduce([[]]) { before, next in
            let options = next.1 == nil ? [[]] : next.0.page.variants.map(\.chosen)
            return before.flatMap { start in options.map { start + [$0] } }
        }
    }

    private func nodes(_ variant: PageVariant, _ chosen: [[Int]], _ places: [Int?]) -> [PageNode] {
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

    /// Its control is another one on the whole page, or none.
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

    /// How many of the nodes stand in no other one of them.
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
