def table(rows, cols):
    cell = 7
    grid = [
        [
            r * c
            for c in range(cols)
        ]
        for r in range(
            rows
        )
        if r
    ]
    return max(
        [
            cell for row in grid
            for cell in row
        ],
        default=cell,
    )


print(table(3, 2))
