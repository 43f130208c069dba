/// Records, reports, exports and databases. A line of English, and its Korean below it.
enum KoreanData {
    static let text = #"""
        Cannot write {1}: {2}.
        {1}에 쓸 수 없습니다: {2}.
        Cannot read {1}: {2}.
        {1}을(를) 읽을 수 없습니다: {2}.
        Line {1}: {2}
        {1}번째 줄: {2}
        It makes none.
        만드는 것이 없습니다.
        Line {1} is “{2}”.
        {1}번째 줄: “{2}”.
        another stretch is already recorded for a part of this time.
        이 시간의 일부에 이미 다른 구간이 기록되어 있습니다.
        there is another rule {1} here, which stays as it is.
        여기에 다른 규칙 {1}이(가) 있어서 그대로 둡니다.
        {1} is {2} here and stays so; the file says {3}.
        {1} 님은 여기서 {2*}(으)로 남습니다. 파일에는 {3*}입니다.
        {1} was moved to {2} here and stays there.
        {1}은(는) 여기서 {2}(으)로 옮겨져 있어서 그대로 둡니다.
        there is a list {1} of {2} here, which stays.
        여기에 {2} 카테고리의 목록 {1}이(가) 있어서 그대로 둡니다.
        """#
}
