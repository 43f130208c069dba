/// What belongs to publishers that are made from others.
public enum Publishers {}
