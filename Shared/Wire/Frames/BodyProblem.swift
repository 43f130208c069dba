import STPlatform

/// Turns a decoder's complaint into a problem that names the field.
enum BodyProblem {
    static func explain(_ error: DecodingError, keepsNames: Bool = false) -> Problem {
        func pointer(_ path: [any CodingKey]) -> String? {
            guard !path.isEmpty else { return nil }
            return path.map { "/" + ($0.intValue.map(String.init) ?? $0.wireName(keepsNames: keepsNames)) }.joined()
        }
        return switch error {
        case .keyNotFound(let key, let context):
            Problem(
                "body.field_missing",
                "The field \(key.wireName(keepsNames: keepsNames)) is missing.",
                field: pointer(context.codingPath + [key])
            )
        case .typeMismatch(let type, let context):
            Problem(
                "body.wrong_type",
                "Something other than \(name(type)) stands here.",
                field: pointer(context.codingPath)
            )
        case .valueNotFound(let type, let context):
            Problem(
                "body.wrong_type",
                "This must be \(name(type)), not null.",
                field: pointer(context.codingPath)
            )
        case .dataCorrupted(let context):
            Problem(
                "body.invalid",
                context.codingPath.isEmpty ? "The body is not valid JSON." : context.debugDescription,
                field: pointer(context.codingPath)
            )
        @unknown default:
            Problem("body.invalid", "The body could not be read.")
        }
    }

    private static func name(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any Collection.Type: "a list"
        default: "an object"
        }
    }
}
