import Foundation

/// Foundation alone has this on a phone.
final class BeaconState: ObservableObject {
    @Published var signals = 0
}
