/// The window of an app.
public struct WindowGroup<Content: View>: Scene, PrimitiveScene {
    /// It does not consist of other scenes.
    public typealias Body = Never

    private let title: String?
    private let content: () -> Content

    /// A window with views in it.
    public init(@ViewBuilder content: @escaping () -> Content) {
        title = nil
        self.content = content
    }

    /// A window with a name of its own; it stands for itself alone here.
    public init(id: String, @ViewBuilder content: @escaping () -> Content) { self.init(content: content) }

    /// A window with a title.
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: @escaping () -> Content) {
        self.title = String(title)
        self.content = content
    }

    func write(_ page: PageWriter) throws {
        if let title { page.session.title = title }
        try page.lower(content())
    }
}
