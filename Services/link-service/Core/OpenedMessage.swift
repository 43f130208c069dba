package import STContracts
package import STCrypto
package import STPlatform

/// A sealed letter from another machine (crypto_box). The household delivers it but cannot read or change it.
package struct OpenedMessage: Sendable {
    package enum Text: Sendable {
        case part(RelayedReplyPart)
        case notice(RelayedNotice)
        case question(RelayedRequest)
    }

    /// The sender's id, name and public key, as the household reports them.
    package let from: String
    package let machine: String
    package let key: [UInt8]
    package let text: Text

    package init(_ letter: HouseholdMessage, to own: KeyPair) throws {
        guard let key = letter.key.flatMap({ TextFormat.bytes(hex: $0) }), let from = letter.from,
            let bytes = Base64.decode(letter.sealed), let text = SealedMessage.open(bytes, to: own, from: key)
        else { throw Self.unreadable }
        (self.from, self.key, machine) = (from, key, letter.name ?? from)
        if letter.answers != nil {
            self.text = .part(try RelayedReplyPart.decodedBody(text))
            return
        }
        let written = try MessagePayload.decodedBody(text)
        let ownKey = TextFormat.hex(own.publicKey)
        if let notice = written.notice, notice.to == ownKey {
            self.text = .notice(notice)
        } else if let question = written.question, question.letter == letter.letter, question.to == ownKey {
            self.text = .question(question)
        } else {
            throw Self.unreadable
        }
    }

    package static let unreadable = Problem(
        "household.bad_letter",
        "A message from another machine cannot be read.",
        key: "household.bad_letter.a-letter-of"
    )

    /// Returns the sealed text in base64.
    package static func seal(_ text: some WireBody, from own: KeyPair, to key: [UInt8]) throws -> String {
        guard let sealed = SealedMessage.seal(try text.encodedBody(), from: own, to: key) else {
            throw Problem(
                "household.bad_key",
                "The household sent a key that this machine cannot use.",
                key: "household.bad_key.the-household-gave"
            )
        }
        return Base64.encode(sealed)
    }
}

/// The text of a letter that answers no other letter.
struct MessagePayload: WireBody, Codable {
    var question: RelayedRequest?
    var notice: RelayedNotice?
}

/// A request for more time that a machine sends to a guardian's other machine.
package struct RelayedNotice: WireBody, Codable {
    /// The public key of the addressed machine.
    var to: String
    /// The guardian, by the household's name.
    package var member: String
    package var news: RequestUpdate

    package init(_ news: LinkServiceState.News, of member: String, to key: String) {
        (to, self.member, self.news) = (key, member, news.news)
    }

    /// A repeated notice has the same number, so the household stores the notice once.
    package func sealed(from own: KeyPair, to machine: String, place: Int64) throws -> HouseholdMessage {
        let key = TextFormat.bytes(hex: to) ?? []
        return HouseholdMessage(
            letter: "news-\(TextFormat.hex(own.publicKey).prefix(12))-\(machine)-\(place)",
            to: machine,
            sealed: try OpenedMessage.seal(MessagePayload(notice: self), from: own, to: key),
            lastsMs: HouseholdPost.lastsMsMax
        )
    }
}
