extension Never: View {
    /// There is none.
    public typealias Body = Never
}
