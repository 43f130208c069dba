import STContracts
import STEngine

/// The routes of stores and settings.
enum SettingsHandlers {
    static let routes: [ServiceRoute<ShieldState>] = [
        .read(SettingsGet.self) { state, request, _ in try SettingsReading.get(request, state) },
        .read(SettingsList.self) { state, request, _ in try SettingsReading.list(request, state) },
        .read(SettingsEffective.self) { state, request, _ in try SettingsReading.effective(request, state) },
        .write(SettingsSet.self, after: AuthCheck.self, of: .auth) { request in
            let tokens = try SettingsReader.read(request.settings, of: request.app).tokens
            // Rules are the person's own, made with our own command: nobody needs to be asked.
            if request.app == AppBook.rules, tokens.isEmpty { return nil }
            return AuthCheck.Request(app: request.app, member: request.member, tokens: tokens)
        } _: { state, request, checked, context, change in
            try SettingsRules.set(request, checked, &state, context, change)
        },
        .write(SettingsClear.self) { state, request, context, change in
            try SettingsRules.clear(request, &state, context, change)
        },
        .write(SettingsDelete.self) { state, request, context, change in
            try SettingsRules.delete(request, &state, context, change)
        },
    ]
}
