package import STContracts

/// What the modifiers of this module are: one type, whose closure knows what to do.
package struct PageModifier: ViewModifier, PrimitiveModifier {
    package typealias Body = Never

    let change: @MainActor (PageWriter, PageContent) throws -> Void

    package func write(_ page: PageWriter, _ content: PageContent) throws { try change(page, content) }
}

extension View {
    /// A modifier by what it does.
    package func lowered(
        _ change: @escaping @MainActor (PageWriter, PageContent) throws -> Void
    ) -> ModifiedContent<Self, PageModifier> {
        modifier(PageModifier(change: change))
    }

    /// A modifier that changes what the views within see.
    package func changed(
        _ change: @escaping @MainActor (inout EnvironmentValues) -> Void
    ) -> ModifiedContent<Self, PageModifier> {
        lowered { page, content in try page.changing(change, content) }
    }

    /// A modifier that says something about each thing it is done to.
    package func marked(
        _ change: @escaping @MainActor (PageElement) -> Void
    ) -> ModifiedContent<Self, PageModifier> {
        lowered { page, content in try page.each(content, change) }
    }

    /// A modifier that puts something around each thing it is done to.
    package func boxed(
        _ layer: PageLayer,
        _ change: @escaping @MainActor (inout PageBox, EnvironmentValues) -> Void
    ) -> ModifiedContent<Self, PageModifier> {
        lowered { page, content in
            let environment = page.environment
            try page.each(content) { $0.wrap(layer) { change(&$0, environment) } }
        }
    }
}
