public import Foundation
import STContracts

extension View {
    public func padding(_ insets: EdgeInsets) -> some View {
        lowered { page, content in
            let room = page.environment.look.room
            let inner = CGSize(
                width: max(0, room.width - insets.leading - insets.trailing),
                height: max(0, room.height - insets.top - insets.bottom)
            )
            try page.changing({ $0.look.room = inner }) {
                try page.each(content) { $0.wrap(.padding) { $0.padding = insets.page } }
            }
        }
    }

    public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        padding(EdgeInsets(edges, length ?? ViewLook.padding))
    }

    public func padding(_ length: CGFloat) -> some View { padding(EdgeInsets(.all, length)) }

    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center)
        -> some View
    {
        framed(width: width, height: height) {
            PageFrame(width: Length.of(width), height: Length.of(height), align: alignment.page)
        }
    }

    public func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View {
        framed(width: nil, height: nil) {
            PageFrame(
                minWidth: Length.of(minWidth),
                maxWidth: Length.of(maxWidth),
                minHeight: Length.of(minHeight),
                maxHeight: Length.of(maxHeight),
                fillsWidth: maxWidth == .infinity ? true : nil,
                fillsHeight: maxHeight == .infinity ? true : nil,
                align: alignment.page
            )
        }
    }

    private func framed(width: CGFloat?, height: CGFloat?, _ frame: @escaping () -> PageFrame) -> some View {
        lowered { page, content in
            try page.changing({
                if let width, width.isFinite { $0.look.room.width = max(0, width) }
                if let height, height.isFinite { $0.look.room.height = max(0, height) }
            }) {
                try page.each(content) { $0.wrap(.frame) { $0.frame = frame() } }
            }
        }
    }

    // No effect: the drawing program lays out the page.
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }
    public func fixedSize() -> some View { self }
    public func layoutPriority(_ value: Double) -> some View { self }

    /// Sets the order of the layers of a `ZStack`.
    public func zIndex(_ value: Double) -> some View {
        marked { $0.traits.zIndex = value.isNaN ? 0 : value }
    }

    public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        boxed(.offset) { box, _ in (box.offsetX, box.offsetY) = (Length.of(x), Length.of(y)) }
    }

    public func offset(_ offset: CGSize) -> some View { self.offset(x: offset.width, y: offset.height) }

    public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View {
        lowered { page, content in
            let room = page.environment.look.room
            try page.each(content) {
                $0.wrap(.frame) { $0.frame = PageFrame(fillsWidth: true, fillsHeight: true, align: .center) }
                $0.wrap(.offset) {
                    $0.offsetX = Length.of(x - room.width / 2)
                    $0.offsetY = Length.of(y - room.height / 2)
                }
            }
        }
    }

    public func position(_ position: CGPoint) -> some View { self.position(x: position.x, y: position.y) }

    public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        lowered { page, content in
            let room = page.environment.look.room
            try page.changing({ $0.look.imageScaling = contentMode == .fit ? "fit" : "fill" }) {
                try page.each(content) { element in
                    guard let aspectRatio, aspectRatio.isFinite, aspectRatio > 0 else { return }
                    // Use the full available width unless the resulting height is too large.
                    let width = min(room.width, room.height * aspectRatio)
                    element.wrap(.frame) {
                        $0.frame = PageFrame(
                            width: Length.of(width),
                            height: Length.of(width / aspectRatio),
                            align: .center
                        )
                    }
                }
            }
        }
    }

    public func aspectRatio(_ aspectRatio: CGSize, contentMode: ContentMode) -> some View {
        self.aspectRatio(
            aspectRatio.height == 0 ? nil : aspectRatio.width / aspectRatio.height,
            contentMode: contentMode
        )
    }

    public func scaledToFit() -> some View { aspectRatio(contentMode: .fit) }

    public func scaledToFill() -> some View { aspectRatio(contentMode: .fill) }

    // No effect: a page has no safe area.
    public func ignoresSafeArea(_ regions: SafeAreaRegions = .all, edges: Edge.Set = .all) -> some View {
        self
    }

    public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }

    public func contentMargins(_ edges: Edge.Set = .all, _ length: CGFloat?) -> some View { self }

    public func contentMargins(_ length: CGFloat) -> some View { self }

    public func geometryGroup() -> some View { self }

    public func safeAreaInset<V: View>(
        edge: VerticalEdge,
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View {
        let other = content()
        return VStack(alignment: alignment, spacing: spacing) {
            if edge == .top { other }
            self
            if edge == .bottom { other }
        }
    }

    // No effect: the sizes of views are unknown.
    public func alignmentGuide(_ g: HorizontalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat)
        -> some View
    { self }

    public func alignmentGuide(_ g: VerticalAlignment, computeValue: @escaping (ViewDimensions) -> CGFloat)
        -> some View
    { self }
}

public enum ContentMode: Hashable, CaseIterable, Sendable {
    case fit, fill
}

public enum VerticalEdge: Int8, CaseIterable, Sendable {
    case top, bottom
}

public struct SafeAreaRegions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let all = SafeAreaRegions(rawValue: .max)
    public static let container = SafeAreaRegions(rawValue: 1)
    public static let keyboard = SafeAreaRegions(rawValue: 2)
}
