extension DeviceActivityData {
    /// A device.
    public struct Device: Hashable, Sendable {
        /// What kind of device.
        public enum Model: Int, Hashable, Sendable {
            /// A phone.
            case iPhone

            /// A player.
            case iPod

            /// A tablet.
            case iPad

            /// A computer: this one, unless the app's manifest says something else.
            case mac
        }

        /// What people call it.
        public var name: String?

        /// What kind of device it is.
        public var model: Model

        package init(name: String?, model: Model) {
            self.name = name
            self.model = model
        }
    }
}
