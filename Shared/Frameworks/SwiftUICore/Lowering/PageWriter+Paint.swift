package import STContracts

extension PageWriter {
    /// Adds an area that takes the room there is.
    func fill<S: ShapeStyle>(_ style: S) throws {
        try add(
            PageNode(
                kind: .shape,
                shape: PageShape(kind: .rectangle, fill: Paint.of(style, environment)),
                isDecoration: true
            )
        )
    }

    /// What words are written in here; nil as the page has them.
    package var textColor: PageColor? {
        environment.look.foreground.map { _ in HierarchicalShapeStyle.primary.paint(in: environment) }?.single
            ?? (environment.look.colorScheme == nil ? nil : Color.primary.page(in: environment))
    }
}
