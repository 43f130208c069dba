import SwiftUICore

// In a file of its own: the macro writes `Observation.Observable`, and the contracts have an `Observation`, too.
@Observable final class Note {
    var text = "note"
}
