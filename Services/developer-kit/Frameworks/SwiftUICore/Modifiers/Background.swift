public import Foundation
import STContracts

extension View {
    @_disfavoredOverload
    public func background<Background: View>(_ background: Background, alignment: Alignment = .center)
        -> some View
    { self.background(alignment: alignment) { background } }

    public func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V)
        -> some View
    {
        let other = content()
        return lowered { page, content in
            try page.each(content) { element in
                guard let behind = try page.layers(other) else { return }
                if !PageLayers.ground(element, behind) {
                    element.pair(.behind, with: behind, align: alignment.page)
                }
            }
        }
    }

    public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all)
        -> some View
    {
        boxed(.background) { box, environment in box.background = Paint.of(style, environment) }
    }

    public func background(ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        background(BackgroundStyle(), ignoresSafeAreaEdges: edges)
    }

    public func background<S: ShapeStyle, T: Shape>(
        _ style: S,
        in shape: T,
        fillStyle: FillStyle = FillStyle()
    ) -> some View { background { shape.fill(style) } }

    public func background<S: Shape>(in shape: S, fillStyle: FillStyle = FillStyle()) -> some View {
        background { shape.fill(BackgroundStyle()) }
    }

    @_disfavoredOverload
    public func overlay<Overlay: View>(_ overlay: Overlay, alignment: Alignment = .center) -> some View {
        self.overlay(alignment: alignment) { overlay }
    }

    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
        let other = content()
        return lowered { page, content in
            try page.each(content) { element in
                guard let over = try page.layers(other) else { return }
                if !PageLayers.border(element, over) {
                    element.pair(.over, with: over, align: alignment.page)
                }
            }
        }
    }

    public func overlay<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        overlay { Rectangle().fill(style) }
    }

    public func overlay<S: ShapeStyle, T: Shape>(
        _ style: S,
        in shape: T,
        fillStyle: FillStyle = FillStyle()
    ) -> some View { overlay { shape.fill(style) } }

    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        boxed(.border) { box, environment in
            box.border = Paint.of(content, environment)
            box.borderWidth = max(0, Length.of(width))
        }
    }

    public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
        let outline = ShapeOutline.of(shape, in: ViewLook.screen).shape
        return boxed(.shape) { box, _ in
            if outline.kind == .rounded {
                box.radius = outline.radius
            } else {
                box.clip = outline.kind == .path ? .rectangle : outline.kind
            }
        }
    }

    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        boxed(.shape) { box, _ in box.radius = max(0, Length.of(radius)) }
    }

    public func clipped(antialiased: Bool = false) -> some View {
        boxed(.shape) { box, _ in box.clip = .rectangle }
    }

    /// Has no effect, because a page receives no touches.
    public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { self }

    // Masks are not drawn. The whole view is shown.
    public func mask<Mask: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> Mask) -> some View
    {
        self
    }

    public func mask<Mask: View>(_ mask: Mask) -> some View { self }
}
