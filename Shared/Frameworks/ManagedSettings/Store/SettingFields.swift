import STContracts

/// Settings as they travel, by their names.
///
/// What this version cannot read stays as it is, and is not written back.
struct SettingFields: Sendable, Equatable {
    var values: [String: JSONValue] = [:]

    subscript<Value: SettingValue>(_ name: String) -> Value? {
        get { values[name].flatMap(Value.init(setting:)) }
        set { values[name] = newValue?.setting }
    }

    func group<Group: StoredGroup>() -> Group {
        Group(fields: SettingFields(values: values.filter { $0.key.hasPrefix(Group.prefix) }))
    }

    mutating func replace<Group: StoredGroup>(with group: Group) {
        values = values.filter { !$0.key.hasPrefix(Group.prefix) }
        values.merge(group.fields.values) { _, new in new }
    }

    /// What must be written so that these hold where others did; a null takes a setting away.
    func changes(from before: SettingFields) -> [String: JSONValue] {
        var changes = values.filter { before.values[$0.key] != $0.value }
        for name in before.values.keys where values[name] == nil { changes[name] = .null }
        return changes
    }
}
