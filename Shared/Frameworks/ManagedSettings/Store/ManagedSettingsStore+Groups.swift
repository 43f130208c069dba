extension ManagedSettingsStore {
    /// Whether accounts may be changed.
    public var account: AccountSettings {
        get { self[AccountSettings.self] }
        set { self[AccountSettings.self] = newValue }
        _modify { yield &self[AccountSettings.self] }
    }

    /// Which apps there are, and whether that may change.
    public var application: ApplicationSettings {
        get { self[ApplicationSettings.self] }
        set { self[ApplicationSettings.self] = newValue }
        _modify { yield &self[ApplicationSettings.self] }
    }

    /// What may be installed and bought.
    public var appStore: AppStoreSettings {
        get { self[AppStoreSettings.self] }
        set { self[AppStoreSettings.self] = newValue }
        _modify { yield &self[AppStoreSettings.self] }
    }

    /// What may be changed about mobile data.
    public var cellular: CellularSettings {
        get { self[CellularSettings.self] }
        set { self[CellularSettings.self] = newValue }
        _modify { yield &self[CellularSettings.self] }
    }

    /// How the clock is set.
    public var dateAndTime: DateAndTimeSettings {
        get { self[DateAndTimeSettings.self] }
        set { self[DateAndTimeSettings.self] = newValue }
        _modify { yield &self[DateAndTimeSettings.self] }
    }

    /// Whom one may play with.
    public var gameCenter: GameCenterSettings {
        get { self[GameCenterSettings.self] }
        set { self[GameCenterSettings.self] = newValue }
        _modify { yield &self[GameCenterSettings.self] }
    }

    /// What may be read, heard and seen.
    public var media: MediaSettings {
        get { self[MediaSettings.self] }
        set { self[MediaSettings.self] = newValue }
        _modify { yield &self[MediaSettings.self] }
    }

    /// Whether the passcode may be changed.
    public var passcode: PasscodeSettings {
        get { self[PasscodeSettings.self] }
        set { self[PasscodeSettings.self] = newValue }
        _modify { yield &self[PasscodeSettings.self] }
    }

    /// What the browser may do.
    public var safari: SafariSettings {
        get { self[SafariSettings.self] }
        set { self[SafariSettings.self] = newValue }
        _modify { yield &self[SafariSettings.self] }
    }

    /// What is covered by a shield.
    public var shield: ShieldSettings {
        get { self[ShieldSettings.self] }
        set { self[ShieldSettings.self] = newValue }
        _modify { yield &self[ShieldSettings.self] }
    }

    /// Whether the assistant may be used.
    public var siri: SiriSettings {
        get { self[SiriSettings.self] }
        set { self[SiriSettings.self] = newValue }
        _modify { yield &self[SiriSettings.self] }
    }

    /// Which sites may be opened.
    public var webContent: WebContentSettings {
        get { self[WebContentSettings.self] }
        set { self[WebContentSettings.self] = newValue }
        _modify { yield &self[WebContentSettings.self] }
    }
}
