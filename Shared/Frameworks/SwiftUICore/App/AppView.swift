/// An app as one view, so that what it keeps lives as long as its page.
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
