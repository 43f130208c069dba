import STContracts

extension ActivityState {
    /// What is in front of a member now, as far as it has been told.
    func openStretch(of member: String) -> Stretch? {
        guard let open = timelines.first(where: { $0.key.member == member })?.value.open else { return nil }
        return Stretch(
            member: member,
            segment: open.segment,
            presence: open.presence,
            app: open.app,
            domain: open.domain,
            category: nil,
            bootId: open.bootId,
            fromBootMs: open.startBootMs,
            toBootMs: open.endBootMs,
            fromWallMs: open.startWallMs
        )
    }
}
