/// What may be read, heard and seen.
///
/// A part of a store: what is nil is not set by it.
public struct MediaSettings: ManagedSettingsGroup, Sendable {
    /// What holds where nobody sets `denyBookstoreErotica`.
    public static let denyBookstoreErotica = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `denyExplicitContent`.
    public static let denyExplicitContent = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `denyMusicService`.
    public static let denyMusicService = SettingMetadata<Bool>(defaultValue: false)

    /// What holds where nobody sets `maximumMovieRating`, and what can be set.
    public static let maximumMovieRating = BoundedSettingMetadata<Int>(defaultValue: 1000, bounds: 0...1000)

    /// What holds where nobody sets `maximumTVShowRating`, and what can be set.
    public static let maximumTVShowRating = BoundedSettingMetadata<Int>(defaultValue: 1000, bounds: 0...1000)

    var fields: SettingFields

    /// Whether erotic books are kept out.
    public var denyBookstoreErotica: Bool? {
        get { fields["media.denyBookstoreErotica"] }
        set { fields["media.denyBookstoreErotica"] = newValue }
    }

    /// Whether music and podcasts marked as explicit are kept out.
    public var denyExplicitContent: Bool? {
        get { fields["media.denyExplicitContent"] }
        set { fields["media.denyExplicitContent"] = newValue }
    }

    /// Whether the music service may not be used.
    public var denyMusicService: Bool? {
        get { fields["media.denyMusicService"] }
        set { fields["media.denyMusicService"] = newValue }
    }

    /// The highest rating a film may have: 1000 is all, 500 NC-17, 400 R, 300 PG-13, 200 PG, 100 G, 0 none.
    public var maximumMovieRating: Int? {
        get { fields["media.maximumMovieRating"] }
        set { fields["media.maximumMovieRating"] = newValue }
    }

    /// The highest rating a programme may have.
    ///
    /// 1000 is all, 600 MA, 500 14, 400 PG, 300 G, 200 Y7, 100 Y, 0 none.
    public var maximumTVShowRating: Int? {
        get { fields["media.maximumTVShowRating"] }
        set { fields["media.maximumTVShowRating"] = newValue }
    }
}

extension MediaSettings: StoredGroup {
    static let prefix = "media."
}
