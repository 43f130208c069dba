import STContracts

/// A bar that is filled to a part.
struct ProgressBar: View, PrimitiveView {
    typealias Body = Never

    let value: Double?
    let label: String?

    package func write(_ page: PageWriter) throws {
        let look = page.environment.look
        try page.add(
            PageNode(
                kind: .progress,
                value: value,
                color: look.tint?.paint(in: page.environment).single,
                label: label
            )
        )
    }
}
