public enum Words {
    public static let event = "of the day"
}
