import STDomain

/// A setting as it was sent, its things not looked up yet.
struct AskedSetting {
    /// A thing by token or by name, and where in the request it stands.
    struct Thing {
        var token: String?
        var id: String?
        var field: String
    }

    enum Value {
        /// Takes it away.
        case nothing
        case plain(SettingValue)
        case things([Thing])
        case policy(CategoryPolicy.Reach, categories: [Thing], except: [Thing])
        case filter(WebFilter.Reach, domains: [Thing], except: [Thing])
    }

    var key: SettingKey
    var value: Value

    /// In the order in which the answers are taken.
    var things: [Thing] {
        switch value {
        case .nothing, .plain: []
        case .things(let things): things
        case .policy(_, let categories, let except): categories + except
        case .filter(_, let domains, let except): domains + except
        }
    }
}
