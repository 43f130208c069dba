import Foundation

/// On a phone, Foundation is sufficient for this.
final class BeaconState: ObservableObject {
    @Published var signals = 0
}
