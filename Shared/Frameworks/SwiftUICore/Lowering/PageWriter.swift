package import STContracts
import STPlatform

/// Puts what views consist of on a page: one evaluation.
@MainActor
package final class PageWriter {
    /// Levels of views and modifiers, most of which leave nothing on the page.
    private static let levelsMax = 2_000

    /// What views here see.
    package var environment: EnvironmentValues
    let session: PageSession
    /// Where the view stands that is being looked at.
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

    /// Puts a view, or what it consists of, on the page.
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

    /// Does something one step further.
    package func within<Result>(_ step: ViewPlace.Step, _ work: () throws -> Result) rethrows -> Result {
        let before = place
        place = place.child(step)
        defer { place = before }
        return try work()
    }

    /// Does something while views see other things around them.
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

    // MARK: - Things on the page

    /// Adds a thing, and within it whatever the closure adds.
    @discardableResult
    package func add(_ node: PageNode, _ children: () throws -> Void = {}) throws -> PageElement {
        let element = try make(node, children)
        found.append(element)
        return element
    }

    /// The same, without adding it.
    package func make(_ node: PageNode, _ children: () throws -> Void = {}) throws -> PageElement {
        nodes += 1
        textBytes += (node.runs ?? []).reduce(node.label?.utf8.count ?? 0) { $0 + $1.text.utf8.count }
        textBytes += node.shape?.path?.utf8.count ?? 0
        guard nodes <= PageLimits.nodes else { throw PageProblem.tooManyNodes }
        guard textBytes <= PageLimits.textBytes else { throw PageProblem.tooMuchText }
        return PageElement(node, try collect(children))
    }

    /// What the closure adds, without adding it.
    package func collect(_ work: () throws -> Void) throws -> [PageElement] {
        let before = found
        found = []
        defer { found = before }
        try work()
        return found
    }

    /// The same as one thing: several stand below each other.
    package func collectOne(_ work: () throws -> Void) throws -> PageElement? {
        let all = try collect(work)
        guard all.count > 1 else { return all.first }
        return try make(PageNode(kind: .vertical, align: .center)) { found = all }
    }

    /// Adds what was collected.
    package func append(_ element: PageElement) throws { found.append(element) }

    /// Does something to each thing that the closure adds.
    package func each(_ work: () throws -> Void, _ change: (PageElement) throws -> Void) throws {
        for element in try collect(work) {
            try change(element)
            try append(element)
        }
    }
}
