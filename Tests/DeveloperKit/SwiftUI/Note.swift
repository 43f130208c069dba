import SwiftUICore

// In a separate file, because the macro writes `Observation.Observable` and the contracts also have an `Observation`.
@Observable final class Note {
    var text = "note"
}
