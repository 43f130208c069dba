public import Foundation
import STContracts

extension View {
    /// On something.
    @_disfavoredOverload
    public func background<Background: View>(_ background: Background, alignment: Alignment = .center)
        -> some View
    { self.background(alignment: alignment) { background } }

    /// On something.
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

    /// On that.
    public func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all)
        -> some View
    {
        boxed(.background) { box, environment in box.background = Paint.of(style, environment) }
    }

    /// On the page's ground.
    public func background(ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        background(BackgroundStyle(), ignoresSafeAreaEdges: edges)
    }

    /// On a shape.
    public func background<S: ShapeStyle, T: Shape>(
        _ style: S,
        in shape: T,
        fillStyle: FillStyle = FillStyle()
    ) -> some View { background { shape.fill(style) } }

    /// On a shape in the colour of the page's ground.
    public func background<S: Shape>(in shape: S, fillStyle: FillStyle = FillStyle()) -> some View {
        background { shape.fill(BackgroundStyle()) }
    }

    /// Below something.
    @_disfavoredOverload
    public func overlay<Overlay: View>(_ overlay: Overlay, alignment: Alignment = .center) -> some View {
        self.overlay(alignment: alignment) { overlay }
    }

    /// Below something.
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

    /// Below that.
    public func overlay<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        overlay { Rectangle().fill(style) }
    }

    /// Below a shape.
    public func overlay<S: ShapeStyle, T: Shape>(
        _ style: S,
        in shape: T,
        fillStyle: FillStyle = FillStyle()
    ) -> some View { overlay { shape.fill(style) } }

    /// With a line around it.
    public func border<S: ShapeStyle>(_ content: S, width: CGFloat = 1) -> some View {
        boxed(.border) { box, environment in
            box.border = Paint.of(content, environment)
            box.borderWidth = max(0, Length.of(width))
        }
    }

    /// Only what lies within the shape.
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

    /// With round corners.
    public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        boxed(.shape) { box, _ in box.radius = max(0, Length.of(radius)) }
    }

    /// Only what lies within its size.
    public func clipped(antialiased: Bool = false) -> some View {
        boxed(.shape) { box, _ in box.clip = .rectangle }
    }

    /// Where it can be pressed; on a page nowhere.
    public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { self }

    /// Only where something else is, which is not drawn: all of it is seen.
    public func mask<Mask: View>(alignment: Alignment = .center, @ViewBuilder _ mask: () -> Mask) -> some View
    {
        self
    }

    /// Only where something else is, which is not drawn: all of it is seen.
    public func mask<Mask: View>(_ mask: Mask) -> some View { self }
}
