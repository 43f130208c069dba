class Later: NotYetThere {}
