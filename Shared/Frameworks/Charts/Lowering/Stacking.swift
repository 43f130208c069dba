import Foundation
import STContracts

/// Puts bars and areas of one place on each other: then each goes from one value to another.
enum Stacking {
    /// Marks of one place, of one kind.
    private struct Place: Hashable {
        var kind: PageMarkKind
        var isHorizontal: Bool
        var at: PlotDatum?
        var position: PlotDatum?
    }

    /// Whether a bar goes to the side: its number is on the x axis.
    static func isHorizontal(_ mark: MarkDraft) -> Bool {
        guard mark.kind == .bar else { return false }
        guard mark.x?.start.number != nil else { return false }
        return mark.y?.start.number == nil || mark.xEnd != nil
    }

    static func stacked(_ marks: [MarkDraft]) -> [(from: Double, to: Double)?] {
        var members: [Place: [Int]] = [:]
        var order: [Place] = []
        for (index, mark) in marks.enumerated() {
            guard mark.stacking != nil, size(mark) != nil else { continue }
            let isHorizontal = isHorizontal(mark)
            let place = Place(
                kind: mark.kind,
                isHorizontal: isHorizontal,
                at: (isHorizontal ? mark.y : mark.x)?.start,
                position: mark.position?.start
            )
            if members[place] == nil { order.append(place) }
            members[place, default: []].append(index)
        }
        var found = [(from: Double, to: Double)?](repeating: nil, count: marks.count)
        for place in order {
            let indices = members[place] ?? []
            let method = indices.lazy.compactMap { marks[$0].stacking }.first ?? .standard
            // One alone stands where it would stand anyway.
            guard indices.count > 1 || method.kind == .normalized || method.kind == .center else { continue }
            let sizes = indices.map { size(marks[$0]) ?? 0 }
            for (index, span) in zip(indices, spans(sizes, method))
            where span.from.isFinite && span.to.isFinite {
                found[index] = span
            }
        }
        return found
    }

    private static func size(_ mark: MarkDraft) -> Double? {
        // What goes from one value to another already stands somewhere.
        guard mark.xEnd == nil, mark.yEnd == nil else { return nil }
        let value = isHorizontal(mark) ? mark.x : mark.y
        return value?.end == nil ? value?.start.number : nil
    }

    private static func spans(_ sizes: [Double], _ method: MarkStackingMethod) -> [(from: Double, to: Double)]
    {
        if method.kind == .unstacked { return sizes.map { (0, $0) } }
        let whole = sizes.reduce(0) { $0 + abs($1) }
        let scale = method.kind == .normalized && whole > 0 ? 1 / whole : 1
        var above = method.kind == .center ? -whole / 2 : 0
        var below = 0.0
        return sizes.map { size in
            let size = size * scale
            if size < 0, method.kind != .center {
                defer { below += size }
                return (below, below + size)
            }
            defer { above += abs(size) }
            return (above, above + abs(size))
        }
    }
}
