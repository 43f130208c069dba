import STContracts
import STDomain
import STEngine
import STPlatform

/// The routes of stores and settings.
enum SettingsHandlers {
    static let routes: [ServiceRoute<ShieldState>] = [
        .read(SettingsGet.self) { state, request, _ in try SettingsReading.get(request, state) }
    ]
}
