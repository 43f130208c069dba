import Foundation
import STContracts

/// What a setting can name: by its token, or by its id where that is known.
protocol SettingThing: Hashable {
    init?(thing: JSONValue)
    var thing: JSONValue { get }
    var sortKey: String { get }
}

extension Token: SettingThing {
    init?(thing: JSONValue) {
        guard let text = thing["token"]?.string, let data = Data(base64Encoded: text) else { return nil }
        self.init(data: data)
    }

    var thing: JSONValue { ["token": .string(sortKey)] }
    var sortKey: String { data.base64EncodedString() }
}

extension Application: SettingThing {
    init?(thing: JSONValue) {
        if let token = ApplicationToken(thing: thing) {
            self.init(token: token)
        } else {
            guard let id = thing["id"]?.string else { return nil }
            self.init(bundleIdentifier: id)
        }
    }

    var thing: JSONValue { token?.thing ?? ["id": .string(bundleIdentifier ?? "")] }
    var sortKey: String { token?.sortKey ?? bundleIdentifier ?? "" }
}

extension WebDomain: SettingThing {
    init?(thing: JSONValue) {
        if let token = WebDomainToken(thing: thing) {
            self.init(token: token)
        } else {
            guard let name = thing["id"]?.string else { return nil }
            self.init(domain: name)
        }
    }

    var thing: JSONValue { token?.thing ?? ["id": .string(domain ?? "")] }
    var sortKey: String { token?.sortKey ?? domain ?? "" }
}
