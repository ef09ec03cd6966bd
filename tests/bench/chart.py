"""The figures as one SVG: CPU per webhook by target, events per second of the consumer. Bars from zero, spread as whiskers."""

from __future__ import annotations

from html import escape

WIDTH, LEFT, RIGHT = 860, 250, 96
BAR, GAP, GROUP_GAP = 15, 3, 20
COLOURS = {"sluice": "#1f6f8b", "floor-plain": "#9aa5ab", "floor-gathering": "#c3cbcf", "go-ordinary": "#d98e3f", "go-strongest": "#e8b56f"}
OTHER = "#9aa5ab"
STYLE = ("text{font:12px system-ui,sans-serif;fill:#24292e}.t{font-weight:600;font-size:14px}.n{fill:#57606a}"
         "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#9aa5ab}}")


class Drawing:
    """Grows downwards; `text` is the whole file."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = 12

    def title(self, text: str, note: str) -> None:
        self.y += 18
        self.parts.append(f'<text class="t" x="0" y="{self.y}">{escape(text)}</text>')
        self.y += 17
        self.parts.append(f'<text class="n" x="0" y="{self.y}">{escape(note)}</text>')
        self.y += 10

    def group(self, label: str, bars: list[tuple[str, float, float, float, str]], longest: float) -> None:
        """Bars of (name, value, low, high, colour)."""
        self.y += 14
        self.parts.append(f'<text x="0" y="{self.y + BAR - 3}">{escape(label)}</text>')
        scale = (WIDTH - LEFT - RIGHT) / longest
        for name, value, low, high, colour in bars:
            end = LEFT + value * scale
            middle = self.y + BAR / 2
            self.parts.append(
                f'<rect x="{LEFT}" y="{self.y}" width="{max(value * scale, 1):.1f}" height="{BAR}" rx="2" fill="{colour}">'
                f"<title>{escape(name)}: {value:,.1f} ({low:,.1f} to {high:,.1f})</title></rect>"
                f'<line x1="{LEFT + low * scale:.1f}" x2="{min(LEFT + high * scale, WIDTH - 8):.1f}" y1="{middle}" y2="{middle}" '
                f'stroke="#24292e" stroke-opacity=".45"/>'
                f'<text class="n" x="{max(end, min(LEFT + high * scale, WIDTH - RIGHT)) + 6:.1f}" y="{self.y + BAR - 3}">{value:,.0f}</text>')
            self.y += BAR + GAP
        self.y += GROUP_GAP - 14

    def legend(self, names: list[str]) -> None:
        x, self.y = 0, self.y + 8
        for name in names:
            self.parts.append(f'<rect x="{x}" y="{self.y}" width="12" height="12" rx="2" fill="{COLOURS.get(name, OTHER)}"/>'
                              f'<text x="{x + 17}" y="{self.y + 10}">{escape(name)}</text>')
            x += 40 + 7 * len(name)
        self.y += 16

    @property
    def text(self) -> str:
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y + 12}" width="{WIDTH}" role="img" '
                f'aria-label="sluice against its floors and peers"><style>{STYLE}</style>\n' + "\n".join(self.parts) + "\n</svg>\n")


def drawn(results: dict) -> str:
    """Of the parts that are there."""
    drawing = Drawing()
    if "ingress" in results:
        draw_ingress(drawing, results["ingress"])
    if "consumer" in results:
        draw_consumer(drawing, results["consumer"])
    return drawing.text


def draw_ingress(drawing: Drawing, result: dict) -> None:
    cells = result["cells"]
    drawing.title("CPU per webhook, microseconds", f"user and system time of the process; median of {result['rounds']} interleaved rounds, "
                  "lines show the spread; shorter is better")
    drawing.legend(list(cells[0]["targets"]))
    longest = max(row["cpu_us"] for cell in cells for row in cell["targets"].values())
    for cell in cells:
        drawing.group(cell["cell"], [(name, row["cpu_us"], row["cpu_us_low"], row["cpu_us_high"], COLOURS.get(name, OTHER))
                                     for name, row in cell["targets"].items()], longest)


def draw_consumer(drawing: Drawing, result: dict) -> None:
    rows = result["rows"]
    drawing.title("Events per second, one connection", f"{result['database']}, batches of {result['batch']}; longer is better")
    longest = max(row["per_second"] for row in rows.values())
    for name, row in rows.items():
        colour = COLOURS["sluice"] if name.startswith("sluice") else OTHER
        drawing.group(name, [(name, row["per_second"], row["per_second_low"], row["per_second_high"], colour)], longest)
