package enum DeliveryChanged: EventType {
    package typealias Body = DeliveryView

    package static let stream = StreamName.delivery
    package static let type = "delivery.changed"
    package static let summary = "A callback on its way stands like this from now on."
}
