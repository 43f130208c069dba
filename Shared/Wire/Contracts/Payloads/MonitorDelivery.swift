package enum MonitorDelivery: Route {
    package struct Request: WireBody, Codable, Equatable {
        package var id: String

        package init(id: String) {
            self.id = id
        }
    }

    package struct Reply: WireBody, Codable, Equatable {
        package var delivery: DeliveryView
        package var occurrence: ActivityOccurrence

        package init(delivery: DeliveryView, occurrence: ActivityOccurrence) {
            self.delivery = delivery
            self.occurrence = occurrence
        }
    }

    package static let name = "monitor.delivery"
    package static let kind = RouteKind.query
    package static let summary =
        "One callback by the id of its event or its short name, with what it is about."
}
