import Foundation
import STContracts

/// Stacks bars and areas of one place.
///
/// The program that draws the page stacks marks with one value by itself; for the other methods a mark gets
/// both its ends here.
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
        // What goes from one value to another already stands somewhere.
        guard mark.xEnd == nil, mark.yEnd == nil else { return nil }
        let value = isHorizontal(mark) ? mark.x : mark.y
        return value?.end == nil ? value?.start.number : nil
    }

    private static func spans(_ sizes: [Double], _ method: MarkStackingMethod) -> [StackedSpan] {
        let kind = method.kind
        let whole = sizes.reduce(0) { $0 + abs($1) }
        // One alone stands where it would stand anyway.
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
        /// The mark's value is enough.
        case asItIs
        /// The value on the page is the length.
        case size
        /// The page has both ends.
        case interval
    }

    var from: Double
    var to: Double
    var form: Form
}
