let later: NotYet = .later
