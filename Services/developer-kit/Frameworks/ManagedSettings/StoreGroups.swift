extension ManagedSettingsStore {
    public var account: AccountSettings {
        get { self[AccountSettings.self] }
        set { self[AccountSettings.self] = newValue }
        _modify { yield &self[AccountSettings.self] }
    }

    public var application: ApplicationSettings {
        get { self[ApplicationSettings.self] }
        set { self[ApplicationSettings.self] = newValue }
        _modify { yield &self[ApplicationSettings.self] }
    }

    public var appStore: AppStoreSettings {
        get { self[AppStoreSettings.self] }
        set { self[AppStoreSettings.self] = newValue }
        _modify { yield &self[AppStoreSettings.self] }
    }

    public var cellular: CellularSettings {
        get { self[CellularSettings.self] }
        set { self[CellularSettings.self] = newValue }
        _modify { yield &self[CellularSettings.self] }
    }

    public var dateAndTime: DateAndTimeSettings {
        get { self[DateAndTimeSettings.self] }
        set { self[DateAndTimeSettings.self] = newValue }
        _modify { yield &self[DateAndTimeSettings.self] }
    }

    public var gameCenter: GameCenterSettings {
        get { self[GameCenterSettings.self] }
        set { self[GameCenterSettings.self] = newValue }
        _modify { yield &self[GameCenterSettings.self] }
    }

    public var media: MediaSettings {
        get { self[MediaSettings.self] }
        set { self[MediaSettings.self] = newValue }
        _modify { yield &self[MediaSettings.self] }
    }

    public var passcode: PasscodeSettings {
        get { self[PasscodeSettings.self] }
        set { self[PasscodeSettings.self] = newValue }
        _modify { yield &self[PasscodeSettings.self] }
    }

    public var safari: SafariSettings {
        get { self[SafariSettings.self] }
        set { self[SafariSettings.self] = newValue }
        _modify { yield &self[SafariSettings.self] }
    }

    public var shield: ShieldSettings {
        get { self[ShieldSettings.self] }
        set { self[ShieldSettings.self] = newValue }
        _modify { yield &self[ShieldSettings.self] }
    }

    public var siri: SiriSettings {
        get { self[SiriSettings.self] }
        set { self[SiriSettings.self] = newValue }
        _modify { yield &self[SiriSettings.self] }
    }

    public var webContent: WebContentSettings {
        get { self[WebContentSettings.self] }
        set { self[WebContentSettings.self] = newValue }
        _modify { yield &self[WebContentSettings.self] }
    }
}

extension ManagedSettingsStore {
    /// The settings of one store, as `change` passes them to its closure.
    public struct Settings: Sendable {
        var fields: SettingFields

        public var account: AccountSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var application: ApplicationSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var appStore: AppStoreSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var cellular: CellularSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var dateAndTime: DateAndTimeSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var gameCenter: GameCenterSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var media: MediaSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var passcode: PasscodeSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var safari: SafariSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var shield: ShieldSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var siri: SiriSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        public var webContent: WebContentSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }
    }
}
