/// A part of something with a style, for the style to put somewhere.
public struct _StylePart<Owner>: View, PrimitiveView {
    /// It is that part.
    public typealias Body = Never

    private let name: String
    private let content: @MainActor (PageWriter) throws -> Void

    init<V: View>(_ name: String, _ view: V) {
        self.name = name
        content = { try $0.lower(view) }
    }

    package func write(_ page: PageWriter) throws {
        try page.within(.part(name)) { try content(page) }
    }
}
