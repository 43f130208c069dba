import STContracts
import STDesktop

/// Keys and the pointer over a question.
extension QuestionPlan {
    /// Nil: nothing is to be sent.
    mutating func key(_ key: PaneKey, atBootMs bootMs: Int64) -> QuestionAnswer? {
        guard current != nil, counts(key, atBootMs: bootMs), !isBusy else { return nil }
        let wasDenyMarked = isDenyMarked
        isDenyMarked = false
        switch key {
        case .next: move(1)
        case .previous: move(-1)
        case .cancel: putOffCurrent()
        case .backspace:
            error = lockedUntilBootMs == nil ? nil : error
            passcode.removeLast()
            focus = .passcode
        case .press: return press(atBootMs: bootMs, again: wasDenyMarked)
        // The space bar presses what is no field.
        case .text(" ") where focus != .passcode: return press(atBootMs: bootMs, again: wasDenyMarked)
        case .text(let text): type(text)
        }
        return nil
    }

    mutating func pressed(_ spot: String, atBootMs bootMs: Int64) -> QuestionAnswer? {
        guard let question = current, clickCounts(atBootMs: bootMs), !isBusy else { return nil }
        isDenyMarked = false
        switch spot {
        case DrawnSpot.allow:
            focus = .allow
            isFocusMoved = true
            return send(allow: true, atBootMs: bootMs)
        case DrawnSpot.deny: return send(allow: false, atBootMs: bootMs)
        case DrawnSpot.passcode: focus = .passcode
        default:
            for index in question.provers.indices where DrawnSpot.prover(index) == spot { choose(index) }
        }
        return nil
    }

    /// Everything that the keyboard reaches, from above.
    private var stops: [Focus] {
        let provers = current?.provers ?? []
        let choices = provers.count > 1 ? provers.indices.map { Focus.prover($0) } : []
        return choices + [.passcode, .deny, .allow]
    }

    private mutating func move(_ step: Int) {
        let stops = stops
        let index = stops.firstIndex(of: focus) ?? 0
        focus = stops[(index + step + stops.count) % stops.count]
        isFocusMoved = true
    }

    /// Return in the field goes on to Allow and does not press it; Don’t Allow wants it twice, for nothing is typed
    /// before it that would show whether it is meant.
    private mutating func press(atBootMs bootMs: Int64, again: Bool) -> QuestionAnswer? {
        switch focus {
        case .prover(let index): choose(index)
        case .passcode:
            guard !passcode.isEmpty else { return nil }
            focus = .allow
            isFocusMoved = true
        case .deny where isFocusMoved:
            if again { return send(allow: false, atBootMs: bootMs) }
            isDenyMarked = true
        case .allow where isFocusMoved: return send(allow: true, atBootMs: bootMs)
        case .deny, .allow: break
        }
        return nil
    }

    private mutating func type(_ text: String) {
        if lockedUntilBootMs == nil { error = nil }
        focus = .passcode
        passcode.type(text)
    }

    private mutating func choose(_ index: Int) {
        if index != chosen {
            passcode.clear()
            error = nil
        }
        chosen = index
        focus = .passcode
        isFocusMoved = true
    }
}
