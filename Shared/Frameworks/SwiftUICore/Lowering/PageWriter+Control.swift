extension PageWriter {
    /// Something that can be changed, which stands here.
    ///
    /// Its number is for `PageNode.control` or `PageChart.control`; nil when it cannot be changed. In the end the numbers
    /// become those of the page's controls, or nothing for a control that has to stay as it is. For each choice `set` is
    /// called and all is evaluated again.
    package func control<Value>(of binding: Binding<Value>, _ request: ControlRequest) -> Int? {
        guard !request.options.isEmpty else { return nil }
        return session.controls.register(key(of: binding), request)
    }

    /// Keeps a place in the order of the controls for one that has to look within itself first.
    func reserve<Value>(_ binding: Binding<Value>) { session.controls.reserve(key(of: binding)) }

    private func key<Value>(of binding: Binding<Value>) -> AnyHashable {
        binding.identity.map { AnyHashable($0) } ?? AnyHashable(ObjectIdentifier(place))
    }
}
