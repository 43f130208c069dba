import Foundation
import STContracts

/// Stacks the bars and areas of one place.
///
/// The drawing program stacks marks with one value itself. For other stacking methods, this type computes both ends of a mark.
enum Stacking {
    /// The key of marks of one kind that are stacked together.
    private struct Place: Hashable {
        var kind: PageMarkKind
        var isHorizontal: Bool
        var at: PlotDatum?
        var position: PlotDatum?
    }

    /// Returns true if the bar is horizontal, which means that its number is on the x axis.
    static func isHorizontal(_ mark: MarkDraft) -> Bool {
        guard mark.kind == .bar else { return false }
        guard mark.x?.start.number != nil else { return false }
        return mark.y?.start.number == nil || mark.xEnd != nil
    }

    static func stacked(_ marks: [MarkDraft]) -> [StackedSpan?] {
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
        var found = [StackedSpan?](repeating: nil, count: marks.count)
        for place in order {
            let indices = members[place] ?? []
            let method = indices.lazy.compactMap { marks[$0].stacking }.first ?? .standard
            let sizes = indices.map { size(marks[$0]) ?? 0 }
            for (index, span) in zip(indices, spans(sizes, method)) { found[index] = span }
        }
        return found
    }

    private static func size(_ mark: MarkDraft) -> Double? {
        // A mark with both ends has a fixed position and is not stacked.
        guard mark.xEnd == nil, mark.yEnd == nil else { return nil }
        let value = isHorizontal(mark) ? mark.x : mark.y
        return value?.end == nil ? value?.start.number : nil
    }

    private static func spans(_ sizes: [Double], _ method: MarkStackingMethod) -> [StackedSpan] {
        let kind = method.kind
        let whole = sizes.reduce(0) { $0 + abs($1) }
        // A single unstacked mark keeps its value, because its position does not change.
        if kind == .unstacked {
            return sizes.map { StackedSpan(from: 0, to: $0, form: sizes.count > 1 ? .interval : .asItIs) }
        }
        let scale = kind == .normalized && whole > 0 ? 1 / whole : 1
        let form: StackedSpan.Form = kind == .center ? .interval : kind == .normalized ? .size : .asItIs
        var above = kind == .center ? -whole / 2 : 0
        var below = 0.0
        return sizes.map { size in
            let size = size * scale
            if size < 0, kind != .center {
                defer { below += size }
                return StackedSpan(from: below, to: below + size, form: form)
            }
            defer { above += abs(size) }
            return StackedSpan(from: above, to: above + abs(size), form: form)
        }
    }
}

/// The ends of a stacked bar or area.
struct StackedSpan: Equatable {
    enum Form {
        /// The page uses the value of the mark.
        case asItIs
        /// The page uses the length of the span.
        case size
        /// The page uses both ends of the span.
        case interval
    }

    var from: Double
    var to: Double
    var form: Form
}
