public import Foundation
import STContracts

extension View {
    public func opacity(_ opacity: Double) -> some View {
        boxed(.opacity) { box, _ in box.opacity = opacity.isNaN ? 0 : min(1, max(0, opacity)) }
    }

    /// Adds a shadow. The drawing program selects its colour and offset.
    public func shadow(
        color: Color = Color(.sRGBLinear, white: 0, opacity: 0.33),
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0
    ) -> some View {
        lowered { page, content in
            // Omit an invisible shadow.
            let isSeen = color.page(in: page.environment).light.hasSuffix("00") == false && radius > 0
            try page.each(content) { element in
                if isSeen { element.wrap(.shadow) { $0.shadow = Length.of(radius) } }
            }
        }
    }

    public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View {
        boxed(.rotation) { box, _ in box.rotation = angle.degrees.isFinite ? angle.degrees : 0 }
    }

    public func rotation3DEffect(
        _ angle: Angle,
        axis: (x: CGFloat, y: CGFloat, z: CGFloat),
        anchor: UnitPoint = .center,
        anchorZ: CGFloat = 0,
        perspective: CGFloat = 1
    ) -> some View { self }

    public func scaleEffect(_ s: CGFloat, anchor: UnitPoint = .center) -> some View {
        boxed(.scale) { box, _ in box.scale = max(0, Length.of(s)) }
    }

    public func scaleEffect(x: CGFloat = 1, y: CGFloat = 1, anchor: UnitPoint = .center) -> some View {
        lowered { page, content in
            let room = page.environment.look.room
            try page.each(content) { element in
                if x == y { return element.wrap(.scale) { $0.scale = max(0, Length.of(x)) } }
                // A view that is scaled along one axis, for example a bar, becomes smaller and the rest of its space stays empty.
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

    public func scaleEffect(_ scale: CGSize, anchor: UnitPoint = .center) -> some View {
        scaleEffect(x: scale.width, y: scale.height, anchor: anchor)
    }

    public func hidden() -> some View {
        lowered { page, content in
            try page.each(content) {
                $0.wrap(.opacity) { $0.opacity = 0 }
                $0.node.isDecoration = true
            }
        }
    }

    // MARK: - Not drawn

    public func blur(radius: CGFloat, opaque: Bool = false) -> some View { self }
    public func brightness(_ amount: Double) -> some View { self }
    public func contrast(_ amount: Double) -> some View { self }
    public func saturation(_ amount: Double) -> some View { self }
    public func grayscale(_ amount: Double) -> some View { self }
    public func hueRotation(_ angle: Angle) -> some View { self }
    public func colorInvert() -> some View { self }
    public func colorMultiply(_ color: Color) -> some View { self }
    public func blendMode(_ blendMode: BlendMode) -> some View { self }
    public func compositingGroup() -> some View { self }
    public func drawingGroup(opaque: Bool = false) -> some View { self }
}

/// The mode of `blendMode(_:)`, which has no effect.
public enum BlendMode: Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    case difference, exclusion, hue, saturation, color, luminosity, sourceAtop, destinationOver
    case destinationOut, plusDarker, plusLighter
}
