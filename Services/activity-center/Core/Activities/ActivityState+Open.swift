import STContracts

extension ActivityState {
    /// What is in front of a member now, as far as it has been told.
    func openStretch(of member: String) -> Stretch? {
        guard let open = timelines[member]?.open.last else { return nil }
        return Stretch(open, fromBootMs: open.startBootMs, toBootMs: open.endBootMs)
    }
}
