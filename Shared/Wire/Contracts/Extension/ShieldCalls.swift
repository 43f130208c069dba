/// What is shielded, as an extension is told: names and tokens of its own app.
package struct ShieldSubjectBody: WireBody, Codable, Equatable {
    /// The app's id or the site's name.
    package var id: String
    /// Base64.
    package var token: String
    package var name: String?

    package init(id: String, token: String, name: String? = nil) {
        self.id = id
        self.token = token
        self.name = name
    }
}

/// What a shield-configuration extension is asked.
package struct ShieldConfigurationBody: WireBody, Codable, Equatable {
    package var application: ShieldSubjectBody?
    package var webDomain: ShieldSubjectBody?
    /// When its category is what is shielded.
    package var category: ShieldSubjectBody?
    package var language: String?

    package init(
        application: ShieldSubjectBody? = nil,
        webDomain: ShieldSubjectBody? = nil,
        category: ShieldSubjectBody? = nil,
        language: String? = nil
    ) {
        self.application = application
        self.webDomain = webDomain
        self.category = category
        self.language = language
    }
}

/// What it answers.
package struct ShieldConfigurationResult: WireBody, Codable, Equatable {
    package var look: ShieldLook
    /// Apple's name of the method that the extension does not override, when the look is the system's own.
    package var missing: String?

    package init(look: ShieldLook, missing: String? = nil) {
        self.look = look
        self.missing = missing
    }
}

/// What a shield-action extension is asked: tokens alone, as on a phone.
package struct ShieldActionBody: WireBody, Codable, Equatable {
    package var action: ShieldButton
    /// Exactly one of the three.
    package var application: String?
    package var category: String?
    package var webDomain: String?
    package var language: String?

    package init(
        action: ShieldButton,
        application: String? = nil,
        category: String? = nil,
        webDomain: String? = nil,
        language: String? = nil
    ) {
        self.action = action
        self.application = application
        self.category = category
        self.webDomain = webDomain
        self.language = language
    }
}

/// What it answers.
package struct ShieldActionResult: WireBody, Codable, Equatable {
    package var response: ShieldResponse

    package init(response: ShieldResponse) {
        self.response = response
    }
}

/// The methods of the two kinds of shield extensions.
package enum ShieldMethod: String, WireEnum {
    case configuration
    case handle
    case unknown
}
