/// Whether something is shielded now, by whom, and what exempts it.
package struct ShieldDecision: Sendable, Hashable {
    /// Why something may be used although stores shield it.
    package enum Exemption: Sendable, Hashable {
        /// It is on the list of what is always allowed.
        case always
        /// More time was granted, by the request of this name.
        case grant(String)
    }

    package var isShielded: Bool
    /// All that shield it, also where an exemption lifts that.
    package var causes: [ShieldCause]
    package var exemption: Exemption?

    package init(isShielded: Bool, causes: [ShieldCause], exemption: Exemption? = nil) {
        self.isShielded = isShielded
        self.causes = causes
        self.exemption = exemption
    }

    package static let allowed = ShieldDecision(isShielded: false, causes: [])
}
