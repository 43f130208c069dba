public import Foundation
import STContracts

extension View {
    /// As large as what it stands in: as wide as there is room, and as high.
    public func containerRelativeFrame(_ axes: Axis.Set, alignment: Alignment = .center) -> some View {
        lowered { page, content in
            try page.each(content) {
                $0.wrap(.frame) {
                    $0.frame = PageFrame(
                        fillsWidth: axes.contains(.horizontal) ? true : nil,
                        fillsHeight: axes.contains(.vertical) ? true : nil,
                        align: alignment.page
                    )
                }
            }
        }
    }

    /// As large as some of that many parts of what it stands in, which is a phone's screen here.
    public func containerRelativeFrame(
        _ axes: Axis.Set,
        count: Int,
        span: Int = 1,
        spacing: CGFloat,
        alignment: Alignment = .center
    ) -> some View {
        containerRelativeFrame(axes, alignment: alignment) { length, _ in
            let (count, span) = (CGFloat(max(1, count)), CGFloat(max(1, span)))
            return (length - spacing * (count - 1)) / count * span + spacing * (span - 1)
        }
    }

    /// As large as the closure makes it of how large what it stands in is, which is a phone's screen here.
    public func containerRelativeFrame(
        _ axes: Axis.Set,
        alignment: Alignment = .center,
        _ length: @escaping (CGFloat, Axis) -> CGFloat
    ) -> some View {
        lowered { page, content in
            let room = page.environment.look.room
            let width = axes.contains(.horizontal) ? max(0, length(room.width, .horizontal)) : nil
            let height = axes.contains(.vertical) ? max(0, length(room.height, .vertical)) : nil
            try page.changing({
                if let width, width.isFinite { $0.look.room.width = width }
                if let height, height.isFinite { $0.look.room.height = height }
            }) {
                try page.each(content) {
                    $0.wrap(.frame) {
                        $0.frame = PageFrame(
                            width: Length.of(width),
                            height: Length.of(height),
                            align: alignment.page
                        )
                    }
                }
            }
        }
    }
}
