extension SymbolTable {
    /// What reports use beside their numbers.
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
