package import STContracts
import STPlatform

/// One evaluation of a view. It writes the content of views to a page.
@MainActor
package final class PageWriter {
    /// The maximum depth of views, including levels that add nothing to the page.
    private static let levelsMax = 2_000

    package var environment: EnvironmentValues
    let session: PageSession
    /// The place of the view that is being evaluated.
    private(set) package var place: ViewPlace

    private var found: [PageElement] = []
    private var level = 0
    private var views = 0
    private var nodes = 0
    private var textBytes = 0
    private let stack = ThreadStack()

    init(_ session: PageSession, _ environment: EnvironmentValues) {
        self.session = session
        self.environment = environment
        place = session.root
    }

    // MARK: - Views

    /// Writes a view, or its body, to the page.
    package func lower<V: View>(_ view: V) throws {
        views += 1
        level += 1
        defer { level -= 1 }
        guard views <= PageProblem.viewsMax else { throw PageProblem.tooManyViews }
        guard level <= Self.levelsMax, stack.hasRoom else { throw PageProblem.tooDeep }
        if let primitive = view as? any PrimitiveView { return try primitive.write(self) }
        try within(.type(ObjectIdentifier(V.self))) {
            try session.properties.bind(view, to: self)
            try lower(view.body)
        }
    }

    func modify<M: ViewModifier>(
        _ modifier: M,
        _ content: @escaping @MainActor (PageWriter) throws -> Void
    ) throws {
        if let primitive = modifier as? any PrimitiveModifier {
            return try primitive.write(self) { try content(self) }
        }
        try within(.type(ObjectIdentifier(M.self))) {
            try session.properties.bind(modifier, to: self)
            try lower(modifier.body(content: _ViewModifier_Content(content: content)))
        }
    }

    /// Runs the closure at a place below the current one.
    package func within<Result>(_ step: ViewPlace.Step, _ work: () throws -> Result) rethrows -> Result {
        let before = place
        place = place.child(step)
        defer { place = before }
        return try work()
    }

    /// Runs the closure with a changed environment.
    @discardableResult
    package func changing<Result>(
        _ change: (inout EnvironmentValues) -> Void,
        _ work: () throws -> Result
    ) rethrows -> Result {
        let before = environment
        change(&environment)
        defer { environment = before }
        return try work()
    }

    // MARK: - Nodes

    /// Adds a node, with the elements that the closure adds as its children.
    @discardableResult
    package func add(_ node: PageNode, _ children: () throws -> Void = {}) throws -> PageElement {
        let element = try make(node, children)
        found.append(element)
        return element
    }

    /// Creates an element as `add` does, without adding it.
    package func make(_ node: PageNode, _ children: () throws -> Void = {}) throws -> PageElement {
        nodes += 1
        textBytes += (node.runs ?? []).reduce(node.label?.utf8.count ?? 0) { $0 + $1.text.utf8.count }
        textBytes += node.shape?.path?.utf8.count ?? 0
        guard nodes <= PageLimits.nodes else { throw PageProblem.tooManyNodes }
        guard textBytes <= PageLimits.textBytes else { throw PageProblem.tooMuchText }
        return PageElement(node, try collect(children))
    }

    /// Returns the elements that the closure adds, without adding them.
    package func collect(_ work: () throws -> Void) throws -> [PageElement] {
        let before = found
        found = []
        defer { found = before }
        try work()
        return found
    }

    /// Returns the elements that the closure adds as one element. Several elements are stacked vertically.
    package func collectOne(_ work: () throws -> Void) throws -> PageElement? {
        let all = try collect(work)
        guard all.count > 1 else { return all.first }
        return try make(PageNode(kind: .vertical, align: .center)) { found = all }
    }

    package func append(_ element: PageElement) throws { found.append(element) }

    /// Changes each element that the closure adds.
    package func each(_ work: () throws -> Void, _ change: (PageElement) throws -> Void) throws {
        for element in try collect(work) {
            try change(element)
            try append(element)
        }
    }

    /// Registers a control at the current place.
    ///
    /// Returns the number for `PageNode.control` or `PageChart.control`, or `nil` if the control cannot be changed. At the end
    /// these numbers are replaced by those of the page's controls, or by `nil`. For each option, `set` is called and the page is
    /// evaluated again.
    package func control<Value>(of binding: Binding<Value>, _ request: ControlRequest) -> Int? {
        guard !request.options.isEmpty else { return nil }
        return session.controls.register(key(of: binding), request)
    }

    /// Reserves a number for a control whose content is evaluated before its registration.
    func reserve<Value>(_ binding: Binding<Value>) { session.controls.reserve(key(of: binding)) }

    private func key<Value>(of binding: Binding<Value>) -> AnyHashable {
        binding.identity.map { AnyHashable($0) } ?? AnyHashable(ObjectIdentifier(place))
    }

    /// Adds a rectangle that fills the available space.
    func fill<S: ShapeStyle>(_ style: S) throws {
        try add(
            PageNode(
                kind: .shape,
                shape: PageShape(kind: .rectangle, fill: Paint.of(style, environment)),
                isDecoration: true
            )
        )
    }

    /// The current text colour. `nil` means the default colour of the page.
    package var textColor: PageColor? {
        environment.look.foreground.map { _ in HierarchicalShapeStyle.primary.paint(in: environment) }?.single
            ?? (environment.look.colorScheme == nil ? nil : Color.primary.page(in: environment))
    }
}

/// A view that writes nodes to the page instead of having a body. Its `Body` is `Never`.
@MainActor
package protocol PrimitiveView {
    func write(_ page: PageWriter) throws
}

/// Writes the modified content. A modifier may call it any number of times.
package typealias PageContent = @MainActor () throws -> Void

/// A modifier that writes directly to the page.
@MainActor
package protocol PrimitiveModifier {
    func write(_ page: PageWriter, _ content: PageContent) throws
}

/// The type that all modifiers of this module share. Its closure does the work.
package struct PageModifier: ViewModifier, PrimitiveModifier {
    package typealias Body = Never

    let change: @MainActor (PageWriter, PageContent) throws -> Void

    package func write(_ page: PageWriter, _ content: PageContent) throws { try change(page, content) }
}

extension View {
    package func lowered(
        _ change: @escaping @MainActor (PageWriter, PageContent) throws -> Void
    ) -> ModifiedContent<Self, PageModifier> {
        modifier(PageModifier(change: change))
    }

    /// Returns a modifier that changes the environment of its content.
    package func changed(
        _ change: @escaping @MainActor (inout EnvironmentValues) -> Void
    ) -> ModifiedContent<Self, PageModifier> {
        lowered { page, content in try page.changing(change, content) }
    }

    /// Returns a modifier that changes each element of its content.
    package func marked(
        _ change: @escaping @MainActor (PageElement) -> Void
    ) -> ModifiedContent<Self, PageModifier> {
        lowered { page, content in try page.each(content, change) }
    }

    /// Returns a modifier that adds a layer to each element of its content.
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

/// The place of a view in the hierarchy, which is its identity. It keeps the state of the view between evaluations.
@MainActor
package final class ViewPlace {
    package enum Step: Hashable {
        /// One of several views.
        case index(Int)
        /// The body of a view of that type.
        case type(ObjectIdentifier)
        /// A view with an id.
        case id(AnyHashable)
        /// The content of a modifier.
        case content
        /// A named part of a view of this module.
        case part(String)
    }

    private var children: [Step: ViewPlace] = [:]
    private var slots: [Int: AnyObject] = [:]

    func child(_ step: Step) -> ViewPlace {
        if let child = children[step] { return child }
        let child = ViewPlace()
        children[step] = child
        return child
    }

    /// Returns the object with a number. Creates it if it does not exist.
    func slot<Object: AnyObject>(_ number: Int, _ make: () -> Object) -> Object {
        if let found = slots[number] as? Object { return found }
        let made = make()
        slots[number] = made
        return made
    }

    func slot(_ number: Int) -> AnyObject? { slots[number] }

    func set(_ number: Int, _ object: AnyObject) { slots[number] = object }
}
