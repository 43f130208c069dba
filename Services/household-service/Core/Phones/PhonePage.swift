package import STContracts
import STCrypto
import STPlatform

/// The page on a guardian's or a teacher's phone.
package struct PhonePage: WireBody, Codable, Equatable {
    package struct App: WireBody, Codable, Equatable {
        package var app: String
        package var ms: Int64
    }

    package struct Now: WireBody, Codable, Equatable {
        package var machine: String
        package var app: String?
        package var site: String?
        package var sinceMs: Int64
    }

    package struct Person: WireBody, Codable, Equatable {
        package var member: String
        package var usedMs: Int64 = 0
        package var apps: [App] = []
        package var now: [Now]
        /// The guardian who stopped all computers of this person, until a guardian lets them continue.
        package var stoppedBy: String?
        /// True if this phone may give the person time.
        package var isLookedAfter = false
        package var open: [HouseholdRequest] = []
    }

    package struct Machine: WireBody, Codable, Equatable {
        package var name: String
        package var people: [String]
        package var seenMs: Int64?
        package var isConnected: Bool
        package var clockOffMs: Int64?
    }

    /// The class that a teacher's phone shows.
    package struct Class: WireBody, Codable, Equatable {
        package var name: String?
        package var window: RuleWindow
        package var days: [Int]?
        /// The end of the teacher's hours today. `nil` outside these hours.
        package var hoursEndMs: Int64?
        package var lessonEndMs: Int64?
        /// The apps and sites that the lesson leaves open.
        package var opens: [TokenItem]
        /// The apps that the class used recently, most used first.
        package var apps: [String]
    }

    package var by: String
    package var teaches: Class?
    package var people: [Person]
    package var machines: [Machine]

    /// The digest of the content. A browser with this content needs no new copy, because the page counts down
    /// the remaining time of a grant by the browser's clock.
    package var digest: String {
        get throws { TextFormat.hex(Digest.blake2b(try withoutTimes.encodedBody())) }
    }

    /// The page without the values that change every second.
    private var withoutTimes: PhonePage {
        var page = self
        for person in page.people.indices {
            for place in page.people[person].open.indices { page.people[person].open[place].leftMs = 0 }
        }
        for place in page.machines.indices { page.machines[place].seenMs = nil }
        return page
    }
}
