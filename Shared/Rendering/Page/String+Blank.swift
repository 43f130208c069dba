extension String {
    /// Nil when there is nothing in it to be seen or heard.
    var orNil: String? {
        let isSilent: (Unicode.Scalar) -> Bool = { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate,
                .unassigned, .nonspacingMark:
                true
            default: false
            }
        }
        return unicodeScalars.allSatisfy(isSilent) ? nil : self
    }
}
