/// An app of views. A program with this protocol shows its page once, on a terminal or with `--html FILE` for a browser, and
/// exits.
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene

    @SceneBuilder var body: Body { get }

    init()
}

extension App {
    /// Shows the app's page as requested by the command line, and exits.
    public static func main() async { await AppRun.run(Self()) }
}

@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene

    @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

extension Scene where Body == Never {
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other scenes.") }
}

/// A scene that writes its own views to a page.
@MainActor
protocol PrimitiveScene {
    func write(_ page: PageWriter) throws
}

@resultBuilder
public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }

    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }

    /// Builds a scene. Only the first scene is shown.
    public static func buildBlock<First: Scene, each Other: Scene>(
        _ first: First,
        _ other: repeat each Other
    ) -> First { first }
}

public struct WindowGroup<Content: View>: Scene, PrimitiveScene {
    public typealias Body = Never

    private let title: String?
    private let content: () -> Content

    public init(@ViewBuilder content: @escaping () -> Content) {
        title = nil
        self.content = content
    }

    public init(id: String, @ViewBuilder content: @escaping () -> Content) { self.init(content: content) }

    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: @escaping () -> Content) {
        self.title = String(title)
        self.content = content
    }

    func write(_ page: PageWriter) throws {
        if let title { page.session.title = title }
        try page.lower(content())
    }
}

/// An app as one view. The state of the app is therefore kept as long as its page.
struct AppView<A: App>: View, PrimitiveView {
    typealias Body = Never

    let app: A

    func write(_ page: PageWriter) throws {
        try page.within(.type(ObjectIdentifier(A.self))) {
            try page.session.properties.bind(app, to: page)
            try Self.write(app.body, page)
        }
    }

    private static func write<S: Scene>(_ scene: S, _ page: PageWriter) throws {
        if let primitive = scene as? any PrimitiveScene { return try primitive.write(page) }
        try page.within(.type(ObjectIdentifier(S.self))) {
            try page.session.properties.bind(scene, to: page)
            try write(scene.body, page)
        }
    }
}
