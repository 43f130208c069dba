import Foundation
import STContracts

/// A mark on its way to the page.
///
/// What stands outside of a mark only changes what the mark, or what is nearer to it, has not said.
struct MarkDraft {
    var kind: PageMarkKind
    var x: PlotValue?
    var xEnd: PlotValue?
    var y: PlotValue?
    var yEnd: PlotValue?
    var angle: PlotValue?
    var inner: MarkDimension?
    var outer: MarkDimension?
    var inset: CGFloat?
    var width: MarkDimension?
    var stacking: MarkStackingMethod?
    /// What its colour tells.
    var style: PlotValue?
    /// Lines and areas go through the points of one series, whatever their colours.
    var series: PlotValue?
    var position: PlotValue?
    var paint: PagePaint?
    var opacity: Double?
    var corner: CGFloat?
    var lineWidth: CGFloat?
    var note: String?
    var says: String?
    var saysValue: String?
    var isSilent: Bool?

    init(_ kind: PageMarkKind) { self.kind = kind }

    private var values: [PlotValue] { [x, xEnd, y, yEnd, angle].compactMap { $0 } }

    /// Nil: it can be drawn.
    var flaw: String? {
        guard values.allSatisfy({ $0.start.isDrawable && ($0.end?.isDrawable ?? true) }) else {
            return "a value that is not a number, or far too large"
        }
        guard kind == .sector else { return nil }
        guard let angle = angle?.size else { return "an angle that is no number" }
        return angle < 0 ? "a negative angle" : nil
    }
}
