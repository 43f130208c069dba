/// What an extension shows.
public protocol AppExtensionScene {
    /// What it is made of.
    associatedtype Body: AppExtensionScene

    /// What it is made of.
    var body: Body { get }
}

extension Never: AppExtensionScene {
    /// There is none.
    public var body: Never { preconditionFailure("Nothing does not consist of anything.") }
}
