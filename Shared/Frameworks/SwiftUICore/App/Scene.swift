/// A part of what an app shows, such as a window.
@MainActor @preconcurrency
public protocol Scene {
    /// What it consists of.
    associatedtype Body: Scene

    /// What it consists of.
    @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

extension Scene where Body == Never {
    /// It does not consist of other scenes.
    public var body: Never { preconditionFailure("\(Self.self) does not consist of other scenes.") }
}

/// A scene that has views itself.
@MainActor
protocol PrimitiveScene {
    func write(_ page: PageWriter) throws
}
