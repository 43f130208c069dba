import Glibc

/// A passcode as it is typed: it says how long it is and nothing else, whoever prints it.
package struct TypedPasscode: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Longer ones are refused by whoever checks them.
    static let charactersMax = 128

    private var characters: [Character] = []

    package init() {}

    package var count: Int { characters.count }
    package var isEmpty: Bool { characters.isEmpty }
    /// For the one request that proves who somebody is.
    package var revealed: String { String(characters) }

    mutating func type(_ text: String) {
        characters += text.prefix(max(0, Self.charactersMax - characters.count))
    }

    mutating func removeLast() {
        if !characters.isEmpty { characters.removeLast() }
    }

    mutating func clear() {
        for index in characters.indices { characters[index] = "\0" }
        characters = []
    }

    package var description: String { "a passcode of \(count) characters" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
