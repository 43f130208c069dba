extension ManagedSettingsStore {
    /// All that one store sets, to be changed in one step by `change`.
    public struct Settings: Sendable {
        var fields: SettingFields

        /// Whether accounts may be changed.
        public var account: AccountSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// Which apps there are, and whether that may change.
        public var application: ApplicationSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// What may be installed and bought.
        public var appStore: AppStoreSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// What may be changed about mobile data.
        public var cellular: CellularSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// How the clock is set.
        public var dateAndTime: DateAndTimeSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// Whom one may play with.
        public var gameCenter: GameCenterSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// What may be read, heard and seen.
        public var media: MediaSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// Whether the passcode may be changed.
        public var passcode: PasscodeSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// What the browser may do.
        public var safari: SafariSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// What is covered by a shield.
        public var shield: ShieldSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// Whether the assistant may be used.
        public var siri: SiriSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }

        /// Which sites may be opened.
        public var webContent: WebContentSettings {
            get { fields.group() }
            set { fields.replace(with: newValue) }
        }
    }
}
