import STContracts

/// How one cause of a shield came about, from what was seen first to the shield.
struct WhyChain: WireBody, Codable, Equatable {
    /// What the chain begins with.
    enum Origin: String, Codable {
        /// Something that the desktop saw.
        case observation
        /// A moment that came while nobody was seen.
        case clock
        /// Somebody's own command or button.
        case person
        /// It is so long ago that what led to it was forgotten.
        case forgotten
    }

    var cause: ShieldCauseBody
    /// The cause as a sentence.
    var text: String
    var origin: Origin
    var steps: [WhyStep]
}
