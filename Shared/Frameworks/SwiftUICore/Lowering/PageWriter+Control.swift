extension PageWriter {
    /// Something that can be changed, which stands here: its number, for `PageNode.control` or `PageChart.control`.
    ///
    /// The numbers become those of the page's controls in the end, or nothing for a control that has to stay as it is. For
    /// each choice `set` is called and all is evaluated again. Nil when it cannot be changed.
    package func control<Value>(of binding: Binding<Value>, _ request: ControlRequest) -> Int? {
        let key = binding.identity.map { AnyHashable($0) } ?? AnyHashable(ObjectIdentifier(place))
        return session.controls.register(key, request)
    }
}
