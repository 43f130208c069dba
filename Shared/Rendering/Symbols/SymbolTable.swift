/// Our own drawings, by the symbol names that shields use most.
package enum SymbolTable {
    package static let all: [String: Symbol] = {
        let own = drawings.merging(reports) { first, _ in first }
        return own.merging(aliases.compactMapValues { own[$0] }) { first, _ in first }
    }()

    private static let aliases: [String: String] = [
        "alarm": "clock", "deskclock": "clock", "stopwatch": "timer", "gauge": "timer",
        "exclamationmark.shield": "shield", "checkmark.shield": "shield", "lock.shield": "lock",
        "sparkles": "star", "sparkle": "star", "person.2": "person", "figure": "person",
        "display": "desktopcomputer", "laptopcomputer": "desktopcomputer", "tv": "desktopcomputer",
        "network": "globe", "safari": "globe", "bubble.left": "message", "ellipsis.bubble": "message",
        "prohibit": "nosign", "octagon": "stop", "apps.iphone": "iphone", "app.badge": "app",
        "text.book.closed": "book", "books.vertical": "book", "zzz": "moon", "powersleep": "moon",
        "arcade.stick": "gamecontroller", "bolt.heart": "heart", "target": "scope",
        "gear": "gearshape", "chart.xyaxis.line": "chart.line", "chart.line.uptrend.xyaxis": "chart.line",
        "calendar.badge.clock": "calendar", "circle.grid": "square.grid.2x2", "square.stack": "square",
        "mail": "envelope", "tray": "folder", "play.rectangle": "film", "play.tv": "film",
        "paperplane": "message",
        "app.grid": "square.grid.2x2", "rectangle": "square", "hand.tap": "hand.raised", "text": "doc",
        "arrow.counterclockwise": "arrow.clockwise", "bag": "cart", "speaker": "music.note",
    ]

    private static let drawings: [String: Symbol] = [
        "hourglass": Symbol(
            detail: [
                "M 5 2.8 L 19 2.8", "M 5 21.2 L 19 21.2",
                "M 6.8 2.8 L 6.8 6.6 C 6.8 9.6 10.4 10.4 10.4 12 C 10.4 13.6 6.8 14.4 6.8 17.4 L 6.8 21.2",
                "M 17.2 2.8 L 17.2 6.6 C 17.2 9.6 13.6 10.4 13.6 12 C 13.6 13.6 17.2 14.4 17.2 "
                    + "17.4 L 17.2 21.2",
            ],
            solid: [
                "M 8.7 7.6 L 15.3 7.6 C 14.6 9.2 12.6 10 12 11.4 C 11.4 10 9.4 9.2 8.7 7.6 Z",
                "M 8.7 19.4 C 8.7 17 11 16.4 12 15.2 C 13 16.4 15.3 17 15.3 19.4 Z",
            ]
        ),
        "lock": Symbol(
            outline: ["R 5 10.5 14 10.5 2.6"],
            detail: ["M 8 10.5 L 8 7.5 C 8 2.2 16 2.2 16 7.5 L 16 10.5"],
            isBeside: true
        ),
        "shield": Symbol(
            outline: [
                "M 12 2.4 L 20 5.2 L 20 11.4 C 20 16.4 16.6 19.8 12 21.8 C 7.4 19.8 4 16.4 4 11.4 L 4 5.2 Z"
            ]
        ),
        "hand.raised": Symbol(
            outline: [
                "M 7.6 12.4 L 7.6 5.8 C 7.6 4 10.2 4 10.2 5.8 L 10.2 4 C 10.2 2.2 12.8 2.2 12.8 4 L 12.8 5 "
                    + "C 12.8 3.4 15.4 3.4 15.4 5 L 15.4 7.6 C 15.4 6 18 6 18 7.6 L 18 15 C 18 "
                    + "19.2 15.8 21.6 12.4 21.6 "
                    + "C 9.2 21.6 7.6 20 6 16.8 L 4.4 13.4 C 3.8 12 5.8 11 6.6 12.2 Z"
            ],
            detail: ["M 10.2 6 L 10.2 11", "M 12.8 5 L 12.8 11", "M 15.4 7.6 L 15.4 11.4"]
        ),
        "moon": Symbol(
            outline: [
                "M 20.4 14.4 C 13.6 17 7.2 10.4 9.8 3.6 C 5.8 5 3.2 8.4 3.2 12.4 C 3.2 17.4 7 "
                    + "20.9 11.8 20.9 C 15.8 20.9 19 18.4 20.4 14.4 Z"
            ]
        ),
        "sun.max": Symbol(
            outline: ["O 12 12 4.2"],
            detail: [
                "M 12 2 L 12 4", "M 12 20 L 12 22", "M 2 12 L 4 12", "M 20 12 L 22 12", "M 4.9 4.9 L 6.3 6.3",
                "M 17.7 17.7 L 19.1 19.1", "M 4.9 19.1 L 6.3 17.7", "M 17.7 6.3 L 19.1 4.9",
            ],
            isBeside: true
        ),
        "clock": Symbol(outline: ["O 12 12 9.4"], detail: ["M 12 6.6 L 12 12.4 L 15.8 14.6"]),
        "timer": Symbol(
            outline: ["O 12 13.2 8.4"],
            detail: ["M 12 13.2 L 15.4 9.6", "M 9.6 2.2 L 14.4 2.2"]
        ),
        "exclamationmark.triangle": Symbol(
            outline: ["M 12 3.2 L 21.8 20.2 L 2.2 20.2 Z"],
            detail: ["M 12 9.4 L 12 14.2", "M 12 17.2 L 12 17.3"]
        ),
        "exclamationmark": Symbol(detail: ["M 12 3.6 L 12 14.6", "M 12 19.6 L 12 19.8"]),
        "questionmark": Symbol(
            detail: ["M 8 8.4 C 8 2.6 16.4 3 16.4 8 C 16.4 11.4 12 11.6 12 15", "M 12 19.6 L 12 19.8"]
        ),
        "xmark": Symbol(detail: ["M 5 5 L 19 19", "M 19 5 L 5 19"]),
        "checkmark": Symbol(detail: ["M 4.4 12.8 L 9.8 18.4 L 19.6 5.8"]),
        "nosign": Symbol(detail: ["O 12 12 9.4", "M 5.4 5.4 L 18.6 18.6"]),
        "minus": Symbol(detail: ["M 4.6 12 L 19.4 12"]),
        "plus": Symbol(detail: ["M 4.6 12 L 19.4 12", "M 12 4.6 L 12 19.4"]),
        "bell": Symbol(
            outline: [
                "M 12 2.8 C 7.6 2.8 6.2 6.2 6.2 9.6 C 6.2 14.2 4.6 15.2 4 17.6 L 20 17.6 C 19.4 "
                    + "15.2 17.8 14.2 17.8 9.6 "
                    + "C 17.8 6.2 16.4 2.8 12 2.8 Z"
            ],
            solid: ["M 9.6 19.4 L 14.4 19.4 C 14 22 10 22 9.6 19.4 Z"]
        ),
        "book": Symbol(
            outline: [
                "M 12 6 C 9.6 4.2 6 3.8 2.6 4.6 L 2.6 18.6 C 6 17.8 9.6 18.2 12 20 C 14.4 18.2 "
                    + "18 17.8 21.4 18.6 "
                    + "L 21.4 4.6 C 18 3.8 14.4 4.2 12 6 Z"
            ],
            detail: ["M 12 6.4 L 12 19.4"]
        ),
        "leaf": Symbol(
            outline: [
                "M 20.6 3.6 C 9.8 3.2 3.4 7 4.6 14.4 C 5.4 19.6 12.4 20.6 16 16.4 C 19.4 12.6 "
                    + "19.6 8 20.6 3.6 Z"
            ],
            detail: ["M 3 21 C 5.6 15.6 9.4 12.2 14.6 9.6"]
        ),
        "flame": Symbol(
            outline: [
                "M 13 2.2 C 13.6 6.8 18.8 8.6 18.8 14.4 C 18.8 18.6 15.8 21.6 12 21.6 C 8.2 "
                    + "21.6 5.2 18.6 5.2 14.6 "
                    + "C 5.2 12 6.4 10 8 8.6 C 8.2 10.4 8.8 11.4 10 12 C 9.6 8.4 10.4 4.6 13 2.2 Z"
            ]
        ),
        "heart": Symbol(
            outline: [
                "M 12 20.6 C 5.4 16 2.6 12.6 2.6 8.8 C 2.6 3.4 9.4 2 12 6.8 C 14.6 2 21.4 3.4 21.4 8.8 "
                    + "C 21.4 12.6 18.6 16 12 20.6 Z"
            ]
        ),
        "star": Symbol(
            outline: [
                "M 12 2.6 L 14.8 8.8 L 21.6 9.6 L 16.6 14.2 L 18 20.8 L 12 17.4 L 6 20.8 L 7.4 "
                    + "14.2 L 2.4 9.6 L 9.2 8.8 Z"
            ]
        ),
        "eye": Symbol(
            outline: ["M 2 12 C 6.4 4.4 17.6 4.4 22 12 C 17.6 19.6 6.4 19.6 2 12 Z"],
            detail: ["O 12 12 3.2"]
        ),
        "pause": Symbol(outline: ["R 5.6 4 4.4 16 1.2", "R 14 4 4.4 16 1.2"]),
        "stop": Symbol(outline: ["R 4.6 4.6 14.8 14.8 2.6"]),
        "play": Symbol(outline: ["M 6.4 3.8 L 20 12 L 6.4 20.2 Z"]),
        "house": Symbol(
            outline: ["M 12 3 L 21.4 11 L 18.8 11 L 18.8 20.6 L 5.2 20.6 L 5.2 11 L 2.6 11 Z"],
            detail: ["M 12 20.6 L 12 15"]
        ),
        "gamecontroller": Symbol(
            outline: [
                "M 7 6.4 L 17 6.4 C 20.6 6.4 22.4 12 22.4 16 C 22.4 19.6 18.6 19.4 16.4 15.8 L 7.6 15.8 "
                    + "C 5.4 19.4 1.6 19.6 1.6 16 C 1.6 12 3.4 6.4 7 6.4 Z"
            ],
            detail: [
                "M 6 11.2 L 10 11.2", "M 8 9.2 L 8 13.2", "M 15 12.6 L 15 12.7", "M 17.6 9.8 L 17.6 9.9",
            ]
        ),
        "person": Symbol(
            outline: ["O 12 7.4 4.4", "M 3.6 20.8 C 3.6 11.6 20.4 11.6 20.4 20.8 Z"]
        ),
        "bolt": Symbol(outline: ["M 13.6 2 L 4.6 13.6 L 11 13.6 L 10 22 L 19.4 10 L 12.8 10 Z"]),
        "flag": Symbol(
            outline: ["M 5 4 C 9.4 1.6 13.6 6.6 19 4 L 19 13.6 C 13.6 16.2 9.4 11.2 5 13.6 Z"],
            detail: ["M 5 3.6 L 5 21.8"],
            isBeside: true
        ),
        "globe": Symbol(
            detail: [
                "O 12 12 9.4", "M 2.8 12 L 21.2 12", "M 12 2.6 C 6.6 7.6 6.6 16.4 12 21.4",
                "M 12 2.6 C 17.4 7.6 17.4 16.4 12 21.4",
            ]
        ),
        "scope": Symbol(detail: ["O 12 12 9.4", "O 12 12 5.4"], solid: ["O 12 12 1.8"]),
        "message": Symbol(
            outline: [
                "M 12 3.4 C 17.6 3.4 21.6 6.8 21.6 11.2 C 21.6 15.6 17.6 19 12 19 C 11 19 10 "
                    + "18.9 9.2 18.7 L 4.6 21.2 "
                    + "L 5.4 16.9 C 3.6 15.5 2.4 13.5 2.4 11.2 C 2.4 6.8 6.4 3.4 12 3.4 Z"
            ]
        ),
        "app": Symbol(outline: ["R 3.2 3.2 17.6 17.6 4.6"]),
        "iphone": Symbol(outline: ["R 6.4 2 11.2 20 2.6"], detail: ["M 10.8 19 L 13.2 19"]),
        "desktopcomputer": Symbol(
            outline: ["R 2 3.6 20 13.4 2"],
            detail: ["M 12 17 L 12 20.6", "M 8 20.8 L 16 20.8"],
            isBeside: true
        ),
        "bed.double": Symbol(
            outline: ["M 3 18 L 3 13.6 C 3 11.8 4.2 11 6 11 L 18 11 C 19.8 11 21 11.8 21 13.6 L 21 18 Z"],
            detail: [
                "M 5 11 L 5 6.6 C 5 5.6 5.6 5 6.6 5 L 17.4 5 C 18.4 5 19 5.6 19 6.6 L 19 11",
                "M 3 18 L 3 20.4", "M 21 18 L 21 20.4",
            ],
            isBeside: true
        ),
        "gift": Symbol(
            outline: ["R 3 8 18 4.4 1", "R 4.6 12.4 14.8 8.8 1"],
            detail: [
                "M 12 8 L 12 21",
                "M 12 8 C 5.6 8 6.6 2.4 9 3 C 11 3.4 12 8 12 8 C 12 8 13 3.4 15 3 C 17.4 2.4 18.4 8 12 8",
            ]
        ),
        "key": Symbol(
            outline: ["O 7.8 16.2 4.8"],
            detail: ["M 11.2 12.8 L 20.4 3.6", "M 16 8 L 19 11", "M 18.6 5.4 L 21 7.8"],
            isBeside: true
        ),
        "brain": Symbol(
            outline: [
                "M 12 4.6 C 10 1.8 6.2 3.2 6.4 6.2 C 3.6 7 3.2 10 4.6 11.8 C 3 14 4 17 6.6 17.6 "
                    + "C 7 20.8 10.8 21.6 12 19 "
                    + "C 13.2 21.6 17 20.8 17.4 17.6 C 20 17 21 14 19.4 11.8 C 20.8 10 20.4 7 "
                    + "17.6 6.2 C 17.8 3.2 14 1.8 12 4.6 Z"
            ],
            detail: [
                "M 12 4.8 L 12 19", "M 8.8 9 C 10.4 9 11 9.8 12 11",
                "M 15.4 14.6 C 13.8 14.6 13 15.4 12 16.4",
            ]
        ),
    ]

    /// The symbols that reports show beside their numbers.
    static let reports: [String: Symbol] = [
        "chart.bar": Symbol(outline: ["R 3 12 4.4 8.6 1", "R 9.8 3.4 4.4 17.2 1", "R 16.6 8 4.4 12.6 1"]),
        "chart.pie": Symbol(
            outline: [
                "M 10.6 4 C 5.8 4.2 2.4 8 2.4 12.6 C 2.4 17.6 6.4 21.4 11.2 21.4 C 16 21.4 19.8 17.8 20 13.2 "
                    + "L 10.6 13.2 Z"
            ],
            detail: ["M 13.8 2.6 C 18.2 3 21 6 21.4 10 L 13.8 10 Z"],
            isBeside: true
        ),
        "chart.line": Symbol(detail: ["M 3 3 L 3 21 L 21 21", "M 6.4 15.6 L 11 10.4 L 14.4 13.4 L 20.4 6.4"]),
        "calendar": Symbol(
            outline: ["R 3 4.6 18 16.4 2.4"],
            detail: ["M 3 9.6 L 21 9.6", "M 8 2.6 L 8 6.4", "M 16 2.6 L 16 6.4"]
        ),
        "arrow.up": Symbol(detail: ["M 12 20.4 L 12 4", "M 5.4 10.6 L 12 4 L 18.6 10.6"]),
        "arrow.down": Symbol(detail: ["M 12 3.6 L 12 20", "M 5.4 13.4 L 12 20 L 18.6 13.4"]),
        "arrow.left": Symbol(detail: ["M 20.4 12 L 4 12", "M 10.6 5.4 L 4 12 L 10.6 18.6"]),
        "arrow.right": Symbol(detail: ["M 3.6 12 L 20 12", "M 13.4 5.4 L 20 12 L 13.4 18.6"]),
        "arrow.up.right": Symbol(detail: ["M 5.4 18.6 L 18.2 5.8", "M 8 5.6 L 18.4 5.6 L 18.4 16"]),
        "arrow.down.right": Symbol(detail: ["M 5.4 5.4 L 18.2 18.2", "M 8 18.4 L 18.4 18.4 L 18.4 8"]),
        "arrow.clockwise": Symbol(
            detail: [
                "M 19.4 8 C 16 2.6 8.4 2.6 5 8 C 2 13 5 20.4 12 20.6 C 16.4 20.6 20 17.4 20.4 13.4",
                "M 20.4 3.6 L 19.8 8.6 L 14.8 8",
            ]
        ),
        "chevron.up": Symbol(detail: ["M 4.6 16 L 12 8.4 L 19.4 16"]),
        "chevron.down": Symbol(detail: ["M 4.6 8.4 L 12 16 L 19.4 8.4"]),
        "chevron.left": Symbol(detail: ["M 15.6 4.6 L 8 12 L 15.6 19.4"]),
        "chevron.right": Symbol(detail: ["M 8.4 4.6 L 16 12 L 8.4 19.4"]),
        "circle": Symbol(outline: ["O 12 12 9.4"]),
        "square": Symbol(outline: ["R 3.4 3.4 17.2 17.2 2.6"]),
        "triangle": Symbol(outline: ["M 12 3.6 L 21.4 20 L 2.6 20 Z"]),
        "square.grid.2x2": Symbol(
            outline: ["R 3.4 3.4 7 7 1.6", "R 13.6 3.4 7 7 1.6", "R 3.4 13.6 7 7 1.6", "R 13.6 13.6 7 7 1.6"]
        ),
        "list.bullet": Symbol(
            detail: ["M 8.6 6 L 21 6", "M 8.6 12 L 21 12", "M 8.6 18 L 21 18"],
            solid: ["O 4.2 6 1.4", "O 4.2 12 1.4", "O 4.2 18 1.4"]
        ),
        "info": Symbol(detail: ["M 12 10.4 L 12 19.4", "M 12 5 L 12 5.2"]),
        "gearshape": Symbol(
            outline: [
                "M 10.4 2.6 L 13.6 2.6 L 14.2 5.4 L 16.4 6.4 L 19 4.8 L 21 7.4 L 19.2 9.6 L 19.6 12 L 21.6 13.8 "
                    + "L 20.4 16.6 L 17.6 16.6 L 16 18.4 L 16.4 21.2 L 13.4 22 L 12 19.6 L 10.6 22 L 7.6 21.2 "
                    + "L 8 18.4 L 6.4 16.6 L 3.6 16.6 L 2.4 13.8 L 4.4 12 L 4.8 9.6 L 3 7.4 L 5 4.8 L 7.6 6.4 "
                    + "L 9.8 5.4 Z"
            ],
            detail: ["O 12 12.2 3"]
        ),
        "magnifyingglass": Symbol(detail: ["O 10.4 10.4 7", "M 15.6 15.6 L 21 21"]),
        "envelope": Symbol(outline: ["R 2.4 5 19.2 14 2.2"], detail: ["M 3.4 6.6 L 12 13 L 20.6 6.6"]),
        "phone": Symbol(
            outline: [
                "M 6.4 3 L 9.4 3.4 L 10.8 8 L 8.6 10 C 9.8 12.4 11.6 14.2 14 15.4 L 16 13.2 L 20.6 14.6 L 21 17.6 "
                    + "C 20.4 19.8 19 21 17 21 C 9.4 20.4 3.6 14.6 3 7 C 3 5 4.2 3.6 6.4 3 Z"
            ]
        ),
        "music.note": Symbol(
            detail: ["M 9.4 17.6 L 9.4 5 L 19 3 L 19 15.6"],
            solid: ["O 6.8 17.8 2.8", "O 16.4 15.8 2.8"]
        ),
        "photo": Symbol(
            outline: ["R 2.4 4.4 19.2 15.2 2.4"],
            detail: ["M 3 17.4 L 8.6 11.6 L 12.6 15.6 L 15.4 13 L 21 18", "O 16 8.8 1.4"]
        ),
        "camera": Symbol(
            outline: ["M 3 7 L 7 7 L 8.6 4.6 L 15.4 4.6 L 17 7 L 21 7 L 21 19.4 L 3 19.4 Z"],
            detail: ["O 12 13 3.8"]
        ),
        "video": Symbol(
            outline: ["R 2.2 6 13.4 12 2.4", "M 17.4 10.6 L 21.8 7.6 L 21.8 16.4 L 17.4 13.4 Z"]
        ),
        "film": Symbol(
            outline: ["R 3 4 18 16 2"],
            detail: [
                "M 7.4 4 L 7.4 20", "M 16.6 4 L 16.6 20", "M 3 9.4 L 7.4 9.4", "M 3 14.6 L 7.4 14.6",
                "M 16.6 9.4 L 21 9.4", "M 16.6 14.6 L 21 14.6",
            ]
        ),
        "doc": Symbol(
            outline: ["M 5 2.6 L 14 2.6 L 19 7.8 L 19 21.4 L 5 21.4 Z"],
            detail: ["M 14 2.6 L 14 7.8 L 19 7.8"]
        ),
        "folder": Symbol(
            outline: ["M 2.6 5 L 9 5 L 11.2 7.6 L 21.4 7.6 L 21.4 19.4 L 2.6 19.4 Z"]
        ),
        "pencil": Symbol(
            outline: ["M 16.4 3.6 L 20.4 7.6 L 8.4 19.6 L 3.4 20.6 L 4.4 15.6 Z"],
            detail: ["M 13.6 6.4 L 17.6 10.4"]
        ),
        "graduationcap": Symbol(
            outline: ["M 12 4 L 23 9.4 L 12 14.8 L 1 9.4 Z"],
            detail: ["M 5.8 12 L 5.8 17 C 9 20 15 20 18.2 17 L 18.2 12", "M 21.6 10.2 L 21.6 16"],
            isBeside: true
        ),
        "cart": Symbol(
            outline: ["M 5.6 6 L 21.4 6 L 19.4 14.6 L 7.4 14.6 Z"],
            detail: ["M 2 3 L 4.8 3 L 7.4 14.6"],
            solid: ["O 9 19 1.6", "O 17.6 19 1.6"],
            isBeside: true
        ),
        "briefcase": Symbol(
            outline: ["R 2.4 7 19.2 13 2.2"],
            detail: ["M 8.4 7 L 8.4 4 L 15.6 4 L 15.6 7", "M 2.4 12.6 L 21.6 12.6"],
            isBeside: true
        ),
        "newspaper": Symbol(
            outline: ["R 3 4 18 16 2"],
            detail: ["M 6.4 8 L 17.6 8", "M 6.4 12 L 11 12", "M 6.4 16 L 11 16", "R 13.6 11.6 4 4.8 0.6"]
        ),
        "terminal": Symbol(
            outline: ["R 2.4 4 19.2 16 2.4"],
            detail: ["M 6 9 L 9.4 12 L 6 15", "M 11.4 15.4 L 16 15.4"]
        ),
        "link": Symbol(
            detail: [
                "M 10 14 C 12 16 14.6 15.8 16.2 14.2 L 19.6 10.8 C 23 7 17.6 1.4 13.8 4.8 L 12 6.6",
                "M 14 10 C 12 8 9.4 8.2 7.8 9.8 L 4.4 13.2 C 1 17 6.4 22.6 10.2 19.2 L 12 17.4",
            ]
        ),
    ]
}
