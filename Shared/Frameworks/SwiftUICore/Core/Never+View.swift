extension Never: View {
    /// There is none; it serves whatever else is made of itself, too.
    public var body: Never { preconditionFailure("Nothing does not consist of anything.") }
}
