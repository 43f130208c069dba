extension PageWriter {
    func lower<S: ButtonStyle>(style: S, _ configuration: ButtonStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: LabelStyle>(style: S, _ configuration: LabelStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: ToggleStyle>(style: S, _ configuration: ToggleStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: ProgressViewStyle>(style: S, _ configuration: ProgressViewStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    func lower<S: GaugeStyle>(style: S, _ configuration: GaugeStyleConfiguration) throws {
        try styled(style) { try lower(style.makeBody(configuration: configuration)) }
    }

    /// A style may have properties as a view has.
    private func styled<S>(_ style: S, _ work: () throws -> Void) throws {
        try within(.type(ObjectIdentifier(S.self))) {
            try session.properties.bind(style, to: self)
            try work()
        }
    }
}
