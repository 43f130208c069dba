import STContracts

extension PageColor {
    /// Nil when it is no colour.
    func ink(_ face: DrawAppearance) -> Ink? { Ink(face == .dark ? dark : light) }
}
