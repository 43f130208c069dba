/// The field of a passcode as it is seen: never the passcode itself.
package struct DrawPasscode: WireBody, Codable, Equatable {
    /// Whose passcode is wanted, as a sentence.
    package var prompt: String
    /// Those who may prove it, where there is a choice.
    package var provers: [String]
    /// Which of them does.
    package var chosen: Int
    /// How many characters have been typed.
    package var dots: Int

    package init(prompt: String, provers: [String] = [], chosen: Int = 0, dots: Int = 0) {
        self.prompt = prompt
        self.provers = provers
        self.chosen = chosen
        self.dots = dots
    }
}
