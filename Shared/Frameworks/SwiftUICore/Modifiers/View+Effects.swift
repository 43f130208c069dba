public import Foundation
import STContracts

extension View {
    /// As opaque as said, from 0 to 1.
    public func opacity(_ opacity: Double) -> some View {
        boxed(.opacity) { box, _ in box.opacity = opacity.isNaN ? 0 : min(1, max(0, opacity)) }
    }

    /// With a shadow; who draws decides about its colour and where it falls.
    public func shadow(
        color: Color = Color(.sRGBLinear, white: 0, opacity: 0.33),
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0
    ) -> some View {
        lowered { page, content in
            // A shadow that nobody can see is none.
            let isSeen = color.page(in: page.environment).light.hasSuffix("00") == false && radius > 0
            try page.each(content) { element in
                if isSeen { element.wrap(.shadow) { $0.shadow = Length.of(radius) } }
            }
        }
    }

    /// Turned.
    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        boxed(.rotation) { box, _ in box.rotation = angle.degrees.isFinite ? angle.degrees : 0 }
    }

    /// Turned in space, which is not drawn.
    public func rotation3DEffect(
        _ angle: Angle,
        axis: (x: CGFloat, y: CGFloat, z: CGFloat),
        anchor: UnitPoint = .center,
        anchorZ: CGFloat = 0,
        perspective: CGFloat = 1
    ) -> some View { self }

    /// Larger or smaller.
    public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View {
        boxed(.scale) { box, _ in box.scale = max(0, Length.of(s)) }
    }

    /// Larger or smaller.
    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
        lowered { page, content in
            let room = page.environment.look.room
            try page.each(content) { element in
                if x == y { return element.wrap(.scale) { $0.scale = max(0, Length.of(x)) } }
                // A bar that is made shorter: the room that is left stays empty.
                let part = PageFrame(
                    width: x < 1 ? max(0, Length.of(room.width * x)) : nil,
                    height: y < 1 ? max(0, Length.of(room.height * y)) : nil
                )
                element.wrap(.frame) { $0.frame = part }
                let align = Alignment(
                    horizontal: anchor.x < 0.5 ? .leading : anchor.x > 0.5 ? .trailing : .center,
                    vertical: anchor.y < 0.5 ? .top : anchor.y > 0.5 ? .bottom : .center
                )
                element.wrap(.frame) {
                    $0.frame = PageFrame(
                        fillsWidth: x < 1 ? true : nil,
                        fillsHeight: y < 1 ? true : nil,
                        align: align.page
                    )
                }
            }
        }
    }

    /// Larger or smaller.
    public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
        scaleEffect(x: scale.width, y: scale.height, anchor: anchor)
    }

    /// Takes its room and is not seen.
    public func hidden() -> some View {
        lowered { page, content in
            try page.each(content) {
                $0.wrap(.opacity) { $0.opacity = 0 }
                $0.node.isDecoration = true
            }
        }
    }

    /// Blurred, which is not drawn.
    public func blur(radius: CGFloat, opaque: Bool = false) -> some View { self }
    /// Brighter, which is not drawn.
    public func brightness(_ amount: Double) -> some View { self }
    /// With more contrast, which is not drawn.
    public func contrast(_ amount: Double) -> some View { self }
    /// With more colour, which is not drawn.
    public func saturation(_ amount: Double) -> some View { self }
    /// With less colour, which is not drawn.
    public func grayscale(_ amount: Double) -> some View { self }
    /// In other colours, which is not drawn.
    public func hueRotation(_ angle: Angle) -> some View { self }
    /// In the opposite colours, which is not drawn.
    public func colorInvert() -> some View { self }
    /// In a mix with a colour, which is not drawn.
    public func colorMultiply(_ color: Color) -> some View { self }
    /// Mixed with what is behind, which is not drawn.
    public func blendMode(_ blendMode: BlendMode) -> some View { self }
    /// Drawn as one thing, which changes nothing on a page.
    public func compositingGroup() -> some View { self }
    /// Drawn as one thing, which changes nothing on a page.
    public func drawingGroup(opaque: Bool = false) -> some View { self }

    /// How it moves when it changes; on a page nothing does.
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
    /// How it moves when it changes; on a page nothing does.
    public func animation(_ animation: Animation?) -> some View { self }
    /// How it comes and goes; on a page nothing does.
    public func transition(_ t: AnyTransition) -> some View { self }
    /// How its words change; on a page nothing does.
    public func contentTransition(_ transition: ContentTransition) -> some View { self }
    /// What changes with it; on a page nothing does.
    public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View { self }
    /// Where it moves to; on a page nothing does.
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID,
        in namespace: Namespace.ID,
        properties: MatchedGeometryProperties = .frame,
        anchor: UnitPoint = .center,
        isSource: Bool = true
    ) -> some View { self }
}
