"""Figures as people read them."""


def number(value):
    """1234567 as 1,234,567; small numbers with three digits that count."""
    if isinstance(value, int):
        return f'{value:,}'
    if abs(value) >= 1000:
        return f'{value:,.0f}'
    if abs(value) >= 100:
        return f'{value:.0f}'
    return f'{value:.1f}' if abs(value) >= 10 else f'{value:.2f}'


def seconds(value):
    return f'{value:.2f} s' if value >= 1 else f'{value * 1000:.1f} ms'


def mebibytes(value):
    return f'{value / (1 << 20):.2f} MiB'


def percent(value):
    return f'{value * 100:.0f}%'


def ratio(value):
    return f'{value:.2f}x'


def cell(value):
    if value is None:
        return '-'
    return value if isinstance(value, str) else number(value)


def render(headers, rows):
    """Lines of a table: the first column to the left, the others to the right."""
    cells = [list(headers)] + [[cell(value) for value in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(headers))]
    lines = []
    for row in cells:
        parts = [row[0].ljust(widths[0])] + [text.rjust(width)
                                             for text, width in zip(row[1:], widths[1:])]
        lines.append('  '.join(parts).rstrip())
    lines.insert(1, '  '.join('-' * width for width in widths))
    return lines
