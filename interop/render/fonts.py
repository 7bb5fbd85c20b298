"""Makes the fonts of the PDF pages from the Noto fonts, once: what is kept, and nothing else.

    python fonts.py FOLDER-OF-NOTO-SANS FOLDER-OF-NOTO-SANS-CJK crates/render/fonts

FOLDER-OF-NOTO-SANS has NotoSans-Regular.ttf, NotoSans-Bold.ttf, NotoSansArabic-Regular.ttf and
NotoSansHebrew-Regular.ttf; the other one NotoSansCJK-Regular.ttc (Debian: fonts-noto-core and
fonts-noto-cjk). Needs fonttools. Kept are Latin, Greek, Cyrillic, Arabic, Hebrew, and of Japanese
what JIS X 0208 has. Hints go, and so do the ligatures of Latin, which nobody can search for.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

LATIN = [
    (0x20, 0x24F), (0x259, 0x259), (0x2B0, 0x2FF), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x52F),
    (0x1E00, 0x1EFF), (0x1F00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20CF),
    (0x2100, 0x218F), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x25A0, 0x25FF), (0xFFFD, 0xFFFD),
]
ARABIC = [(0x20, 0x20), (0x600, 0x6FF), (0x750, 0x77F), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC)]
HEBREW = [(0x20, 0x20), (0x590, 0x5FF), (0xFB1D, 0xFB4F)]


def jis() -> set[int]:
    """JIS X 0208 by its rows and cells, half and full width forms, and the circled numbers."""
    found = set(range(0x3000, 0x3100)) | set(range(0xFF01, 0xFFE7)) | set(range(0x2460, 0x2474))
    found |= set(range(0x3200, 0x3400))
    for row in range(0x21, 0x7F):
        for cell in range(0x21, 0x7F):
            try:
                text = bytes([row | 0x80, cell | 0x80]).decode("euc_jp")
            except UnicodeDecodeError:
                continue
            found |= {ord(one) for one in text}
    return {one for one in found if one > 0x7F}


def of(ranges) -> set[int]:
    return {one for first, last in ranges for one in range(first, last + 1)}


def make(source: Path, target: Path, kept: set[int], features: list[str], number: int = -1) -> None:
    options = subset.Options()
    options.hinting = False
    options.layout_features = features
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    options.glyph_names = False
    options.legacy_cmap = False
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "STAT", "meta"]
    font = TTFont(source, fontNumber=number, lazy=True)
    work = subset.Subsetter(options)
    work.populate(unicodes=kept)
    work.subset(font)
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    font.save(target)
    print(f"{target.name}: {target.stat().st_size} bytes")


def main() -> None:
    sans, cjk, target = (Path(one) for one in sys.argv[1:4])
    plain = ["kern", "mark", "mkmk", "ccmp", "locl"]
    shaped = plain + ["init", "medi", "fina", "isol", "rlig", "calt"]
    make(sans / "NotoSans-Regular.ttf", target / "sans.ttf", of(LATIN), plain)
    make(sans / "NotoSans-Bold.ttf", target / "sans-bold.ttf", of(LATIN), plain)
    make(sans / "NotoSansArabic-Regular.ttf", target / "arabic.ttf", of(ARABIC), shaped)
    make(sans / "NotoSansHebrew-Regular.ttf", target / "hebrew.ttf", of(HEBREW), plain)
    make(cjk / "NotoSansCJK-Regular.ttc", target / "japanese.otf", jis(), ["ccmp"], 0)


if __name__ == "__main__":
    main()
