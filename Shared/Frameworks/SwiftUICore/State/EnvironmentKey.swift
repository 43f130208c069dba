/// Names something that views say to those within them.
public protocol EnvironmentKey {
    /// What it is.
    associatedtype Value

    /// What it is when nobody says anything.
    static var defaultValue: Value { get }
}
