import STPlatform

/// Words from outside within sentences.
enum Told {
    static func quoted(_ text: String) -> String { "“\(DisplayWidth.cut(DisplayWidth.harmless(text), 120))”" }
}
