extension Optional: View where Wrapped: View {
    /// It is the view, or nothing.
    public typealias Body = Never
}

extension Optional: PrimitiveView where Wrapped: View {
    package func write(_ page: PageWriter) throws {
        if let self { try page.lower(self) }
    }
}
