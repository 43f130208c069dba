import STContracts
import STPlatform

/// Requests from a person at one machine to another machine, in letters that the household delivers and cannot read.
enum MessageRelay {
    /// Upper bound on a letter. The rest of a reply is for present usage. Machines send longer letters in parts.
    private static let sealedBytesMax = 208 * 1024
    /// Upper bound on the letters of one sender, so that one machine cannot use all the space of another.
    private static let ofSenderMax = 32
    private static let idBytesMax = 64

    static func post(
        _ request: HouseholdPost.Request,
        from sender: String,
        state: inout HouseholdState,
        now: TimeReading
    ) throws {
        let taken = Set(request.taken.prefix(HouseholdPost.takenMax))
        state.removeExpiredMessages(at: now.wall)
        state.removeMessages { taken.contains($0.id) && [$0.to, $0.from].contains(sender) }
        guard let letter = request.send, !state.messages.contains(where: { $0.id == letter.letter }) else {
            return
        }
        guard let receiver = state.device(letter.to), !receiver.isRemoved, receiver.phone == nil else {
            throw Problem(
                "household.unknown_device",
                "The household has no such machine any more.",
                field: "/send/to",
                help: "screentime household show"
            )
        }
        let ids = [letter.letter, letter.answers ?? "-"]
        guard ids.allSatisfy({ !$0.isEmpty && $0.utf8.count <= idBytesMax && UsageUpload.isShort($0) }),
            letter.sealed.utf8.count <= sealedBytesMax
        else {
            throw Problem(
                "household.bad_letter",
                """
                The id of a message must be at most \(idBytesMax, "bytes") bytes long, and its content at \
                most \(sealedBytesMax / 1_024, "bytes2") KiB.
                """,
                field: "/send"
            )
        }
        let waiting = state.messages.filter { $0.to == receiver.id }
        guard waiting.count < HouseholdState.lettersMax,
            waiting.count(where: { $0.from == sender }) < ofSenderMax
        else {
            throw Problem(
                "household.too_many_letters",
                """
                \(waiting.count, "count") messages are still waiting for \(receiver.name, "name"). Try again \
                in two minutes.
                """,
                retryable: true
            )
        }
        state.upsert(
            HouseholdState.RelayMessage(
                id: letter.letter,
                from: sender,
                to: receiver.id,
                answers: letter.answers,
                sealed: letter.sealed,
                until: now.wall
                    + .milliseconds(
                        min(max(0, letter.lastsMs ?? HouseholdPost.lastsMs), HouseholdPost.lastsMsMax)
                    )
            )
        )
    }
}
