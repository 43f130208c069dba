import STContracts

/// What a style turned out to be.
struct FixedPaint: ShapeStyle, PaintStyle, @unchecked Sendable {
    // @unchecked: a value that nobody changes.
    private let fixed: PagePaint

    init(_ paint: PagePaint) { fixed = paint }

    package func paint(in environment: EnvironmentValues) -> PagePaint { fixed }
}
